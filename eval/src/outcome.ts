import type { ResourcesState } from './resources.ts'
import type { SuggestedChange } from '@copydesk/schema'
import type { ToolErrorCode } from '@copydesk/tools'

/** A comment thread as a check sees it. */
export type SeenThread = { id: string; quote: string; resolved: boolean; comments: { author: string; text: string }[] }

/**
 * A document at one moment. `blocks` are the top blocks of each view as markdown, byte for byte as an export has them.
 */
export type DocumentState = {
  /** Its name in lists. */
  title: string
  /** The export: the text as it was before the suggested changes. */
  markdown: string
  /** The text as if all suggested changes were accepted. */
  accepted: string
  blocks: { original: readonly string[]; accepted: readonly string[] }
  changes: readonly SuggestedChange[]
  threads: readonly SeenThread[]
  /** The colours of the highlights that are shown. */
  highlights: readonly string[]
}

/** A tool call of a run and its result as the model reads it; `code` says why it failed. */
export type MadeCall = { tool: string; ok: boolean; code?: ToolErrorCode; text: string }

/** The outcome of a case: the document before its first run and after its last, and how that last run ended. */
export type Outcome = {
  before: DocumentState
  after: DocumentState
  answer: string
  /** As the loop says it, with the reason where the run failed. */
  status: string
  /** Whether the agent wrote into the document. */
  wrote: boolean
  /** The project's files, and what was sent to the web. */
  outside: ResourcesState
  /** The calls of the last run. */
  calls: readonly MadeCall[]
}

/** Says in one or more lines what is wrong with an outcome; `undefined` if nothing is. Pure and deterministic. */
export type Check = (outcome: Outcome) => string | undefined
