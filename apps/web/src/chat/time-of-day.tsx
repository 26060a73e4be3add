export { TimeOfDay } from '@copydesk/agent-panel'
