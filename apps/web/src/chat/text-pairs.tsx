export { TextPairView } from '@copydesk/agent-panel'
