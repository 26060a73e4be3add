export { MarkdownView } from '@copydesk/agent-panel'
