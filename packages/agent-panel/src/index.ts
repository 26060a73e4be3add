export { AgentPanel, type AgentPanelProps } from './agent-panel.tsx'
export type { ComposerOptions } from './composer.tsx'
export type { ShownMessage } from './conversation.tsx'
export { createDrafts, type Drafts, messageKey } from './drafts.ts'
export { MarkdownView } from './markdown-view.tsx'
export { MessageBox } from './message-box.tsx'
export { PanelLanguage, type PanelLanguageOptions } from './panel-language.tsx'
export { TextPairView } from './text-pairs.tsx'
export { englishTexts, type PanelTexts } from './texts.ts'
export { TimeOfDay } from './time-of-day.tsx'
export { ActivityIcon } from './tool-icon.tsx'
export type {
  ChatAction,
  ChatAuthor,
  ChatBridge,
  ChatCommand,
  ChatConversation,
  ChatConversations,
  ChatItem,
  ChatMessage,
  ChatMode,
  ChatPlanItem,
  ChatRun,
  ChatSelection,
  ChatStep,
  ChatToolCall,
  ChatToolOutcome,
  ChatToolResult,
  StepDecision,
  StepStatus,
  TextPair,
} from './types.ts'
export { type AgentChat, type AgentChatOptions, type ChatEntry, useChat } from './use-chat.ts'
export { type Reply, type ReplyEvent, type ReplyTurn, useReplies } from './use-replies.ts'
