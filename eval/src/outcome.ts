import type { SuggestedChange } from '@copydesk/schema'

/** A comment thread as a check sees it. */
export type SeenThread = { id: string; quote: string; resolved: boolean; comments: { author: string; text: string }[] }

/** A document at one moment. `blocks` are the top blocks of each view as markdown, byte for byte as an export has them. */
export type DocumentState = {
  /** The export: the text as it was before the suggested changes. */
  markdown: string
  /** The text as if all suggested changes were accepted. */
  accepted: string
  blocks: { original: readonly string[]; accepted: readonly string[] }
  changes: readonly SuggestedChange[]
  threads: readonly SeenThread[]
  highlights: number
}

/** The outcome of a case: the document before its first run and after its last, and how that last run ended. */
export type Outcome = {
  before: DocumentState
  after: DocumentState
  answer: string
  /** As the loop says it, with the reason where the run failed. */
  status: string
  calls: readonly { tool: string; ok: boolean }[]
}

/** Says in one or more lines what is wrong with an outcome; `undefined` if nothing is. Pure and deterministic. */
export type Check = (outcome: Outcome) => string | undefined
