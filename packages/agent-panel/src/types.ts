import type { ReactNode } from 'react'
import type { IconName } from './icons.tsx'

/** Who said something. `color` is any CSS colour; an agent has a look of its own. */
export type ChatAuthor = { id: string; name: string; kind: 'person' | 'agent'; color?: string }

/** A text before and after a change, plain; `before` is empty for what is new, `after` for what was removed. */
export type TextPair = { before: string; after: string }

/**
 * Something that can be done, as a button. `disabledReason` says why it can't be done now: the button stays, and tells. A promise keeps
 * the button busy; what it rejects with is the host's to show.
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

/** How a step stands. `waiting` is for a person's word. */
export type StepStatus = 'running' | 'done' | 'failed' | 'waiting' | 'rejected'

/**
 * One thing that the agent did, in the answer `messageId`. `title` is one line, in the present tense while it waits. Steps that wait
 * with the same `group` are decided in one card; `text` is what may be edited of the proposal before it is approved.
 */
export type ChatStep = {
  id: string
  messageId: string
  title: string
  status: StepStatus
  tool?: string
  /** What the agent said before it did this, as Markdown; it stands between the cards. */
  said?: string | undefined
  /** The beginning of what it read. */
  read?: string | undefined
  changes?: readonly TextPair[] | undefined
  moreChanges?: number | undefined
  error?: { message: string; hint?: string | undefined } | undefined
  durationMs?: number | undefined
  group?: string | undefined
  proposal?: readonly TextPair[] | undefined
  text?: string | undefined
  /** Who decided and how, in a sentence. */
  decided?: string | undefined
  isUndone?: boolean
  actions?: readonly ChatAction[]
}

/** How an answer stands: `label` in a few words, `detail` behind it ("round 2 of 8"), `problem` as whole sentences. */
export type ChatRun = {
  tone: 'going' | 'good' | 'problem' | 'quiet'
  label: string
  detail?: string | undefined
  problem?: string | undefined
  notice?: string | undefined
  /** What it took, such as "1,204 tokens". */
  figures?: string | undefined
  stop?: ChatAction | undefined
  actions?: readonly ChatAction[]
}

/**
 * Something in the conversation. `text` is Markdown in an agent's message and plain in a person's; what `said` of the message's steps
 * begins it with isn't shown twice. `asked` tells who asked, where that isn't the message above.
 */
export type ChatMessage = {
  id: string
  author: ChatAuthor
  text: string
  /** What is shown in the place of a person's text, such as the text with links. */
  content?: ReactNode
  /** ISO 8601. */
  at?: string
  asked?: { by: string; how: string; text: string } | undefined
  run?: ChatRun | undefined
}

/** What a person has selected: the beginning of its text, and how many words it has. */
export type ChatSelection = { text: string; words: number; onClear: () => void }

/** A ready command. With `opens` its text is put into the box to be finished, else it is sent at once. */
export type ChatCommand = { id: string; label: string; text: string; opens?: boolean }

/** The ways in which an agent may work, one of which holds for everybody. */
export type ChatMode = {
  value: string
  options: readonly { value: string; label: string; description: string }[]
  onChange: (value: string) => void
  disabledReason?: string | undefined
}

/** What somebody decided on a step that waits: `text` replaces the proposed text. */
export type StepDecision = { step: string; decision: 'approve' | 'reject'; text?: string; reason?: string }
