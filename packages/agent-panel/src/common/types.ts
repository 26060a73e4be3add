import type { ReactNode } from 'react'
import type { IconName } from './icons.tsx'

/** The author of a message. `color` is any CSS colour; an agent has its own avatar. */
export type ChatAuthor = { id: string; name: string; kind: 'person' | 'agent'; color?: string }

/** A text before and after a change, plain; `before` is empty for an insertion, `after` for a deletion. */
export type TextPair = { before: string; after: string }

/**
 * An action, shown as a button. With `disabledReason` the button remains visible and shows the reason. A returned
 * promise keeps the button busy; the host reports its rejection.
 */
export type ChatAction = {
  id: string
  label: string
  icon?: IconName
  look?: 'primary' | 'plain' | 'danger'
  isPressed?: boolean
  disabledReason?: string | undefined
  run: () => void | Promise<void>
}

/** The status of a step. `waiting`: it needs a person's approval. */
export type StepStatus = 'running' | 'done' | 'failed' | 'waiting' | 'rejected'

/**
 * One action of the agent, in the answer `messageId`. `title` is one line, in the present tense while the step is
 * waiting. Waiting steps with the same `group` are decided in one card; `text` is the part of the proposal that may be
 * edited before approval.
 */
export type ChatStep = {
  id: string
  messageId: string
  title: string
  status: StepStatus
  tool?: string
  /** The agent's text before this step, as Markdown; shown between the cards. */
  said?: string | undefined
  /** The beginning of the text that the step read. */
  read?: string | undefined
  changes?: readonly TextPair[] | undefined
  moreChanges?: number | undefined
  error?: { message: string; hint?: string | undefined } | undefined
  durationMs?: number | undefined
  group?: string | undefined
  proposal?: readonly TextPair[] | undefined
  /**
   * Shown in place of `title` and `proposal` while the step waits, and in its details afterwards. It gets the text that
   * replaces the proposed one, '' if there is none, and its setter; that text is decided on like an edited `text`. It
   * passes the reason why the step can't be approved now to `onBlocked`; undefined if it can.
   */
  review?: ((edited: string, onEdit: (text: string) => void, onBlocked?: OnBlocked) => ReactNode) | undefined
  /** Why the proposal should not be approved unchanged, in a sentence. */
  warning?: string | undefined
  text?: string | undefined
  /** The person who decided and the decision, in a sentence. */
  decided?: string | undefined
  isUndone?: boolean
  actions?: readonly ChatAction[]
}

type OnBlocked = (reason: string | undefined) => void

/** One part of the plan of a long task. */
export type ChatPlanItem = { text: string; state: 'open' | 'doing' | 'done' }

/**
 * The status of an answer: `label` in a few words, `detail` after it ("round 2 of 8"), `problem` as whole sentences.
 * While the answer is in progress, the icon before the label is that of the tool of its last running step.
 */
export type ChatRun = {
  tone: 'going' | 'good' | 'problem' | 'quiet'
  label: string
  detail?: string | undefined
  problem?: string | undefined
  notice?: string | undefined
  plan?: readonly ChatPlanItem[] | undefined
  /** The cost, such as "1,204 tokens". */
  figures?: string | undefined
  stop?: ChatAction | undefined
  actions?: readonly ChatAction[]
}

/**
 * A message of the conversation. `text` is Markdown in an agent's message and plain in a person's; the part that also
 * occurs in `said` of the message's steps is shown once. `asked` is the asking person, if that isn't the author of the
 * message above.
 */
export type ChatMessage = {
  id: string
  author: ChatAuthor
  text: string
  /** Shown instead of a person's text, for example the text with links. */
  content?: ReactNode
  /** ISO 8601. */
  at?: string
  asked?: { by: string; how: string; text: string } | undefined
  run?: ChatRun | undefined
}

/** One of several conversations with the agent. `detail` is a remark such as its day. */
export type ChatConversation = { id: string; title: string; detail?: string; isBusy?: boolean }

/**
 * All conversations, the latest first. `current` is the one whose messages are shown; it isn't in the list until it
 * contains a message. `older` loads earlier ones, if there are any.
 */
export type ChatConversations = {
  list: readonly ChatConversation[]
  current: string
  onOpen: (id: string) => void
  onNew: () => void
  older?: (() => void | Promise<void>) | undefined
}

/** A person's selection: the beginning of its text, and its number of words. */
export type ChatSelection = { text: string; words: number; onClear: () => void }

/**
 * A predefined command. With `opens` its text is inserted into the message box to be completed, else it is sent
 * immediately.
 */
export type ChatCommand = { id: string; label: string; text: string; opens?: boolean }

/** The modes of the agent; one mode is active for all users. */
export type ChatMode = {
  value: string
  options: readonly { value: string; label: string; description: string }[]
  onChange: (value: string) => void
  disabledReason?: string | undefined
}

/** A person's decision on a waiting step: `text` replaces the proposed text. */
export type StepDecision = { step: string; decision: 'approve' | 'reject'; text?: string; reason?: string }

/**
 * A model's call of a tool, in its place in the conversation. `title` is one line for people, by default derived from
 * the tool's name.
 */
export type ChatToolCall = { type: 'tool_call'; id: string; name: string; input: unknown; title?: string }

/** The outcome of a tool call: `summary` is one line for people, `text` the result for the model. */
export type ChatToolOutcome = { ok: boolean; summary: string; text: string }

/** The result of the tool call `callId`. */
export type ChatToolResult = ChatToolOutcome & { type: 'tool_result'; callId: string }

export type ChatItem = ChatMessage | ChatToolCall | ChatToolResult

/** An object that executes tool calls, such as `createEditorBridge` of `@copydesk/editor-bridge`. */
export type ChatBridge = {
  executeToolCall(name: string, input: unknown, call: { callId: string }): Promise<ChatToolOutcome>
}
