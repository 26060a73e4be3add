export { AgentPanel, type AgentPanelProps } from './agent-panel.tsx'
export type { ComposerOptions } from './composer/composer.tsx'
export type { ShownMessage } from './messages/conversation.tsx'
export { createDrafts, type Drafts, messageKey } from './common/drafts.ts'
export { MarkdownView } from './markdown/markdown-view.tsx'
export { MessageBox } from './composer/message-box.tsx'
export { PanelLanguage, type PanelLanguageOptions } from './language/panel-language.tsx'
export { TextPairView } from './steps/text-pairs.tsx'
export { diffLists, type ListChange } from './steps/word-diff.ts'
export { englishTexts, type PanelTexts } from './language/texts.ts'
export { TimeOfDay } from './common/time-of-day.tsx'
export { ActivityIcon } from './steps/tool-icon.tsx'
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
} from './common/types.ts'
export { type AgentChat, type AgentChatOptions, type ChatEntry, useChat } from './chat/use-chat.ts'
export { type Reply, type ReplyEvent, type ReplyTurn, useReplies } from './chat/use-replies.ts'
