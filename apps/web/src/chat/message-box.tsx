export { MessageBox } from '@copydesk/agent-panel'
