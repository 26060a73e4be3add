import { z } from 'zod'
import { Author } from '../people/people.ts'

/** The author of a text, the run if the author is the agent, and the time of the latest part. */
const Written = { actor: z.string(), run: z.string().optional(), at: z.iso.datetime() }

/** A range of the text, as ProseMirror positions in the accompanying state. */
export const AuthorRange = z.object({ from: z.number().int(), to: z.number().int(), ...Written })
export type AuthorRange = z.infer<typeof AuthorRange>

/** `length` consecutive Yjs ids of one client, including those of deleted text. */
export const AuthorIds = z.object({
  client: z.number().int(),
  clock: z.number().int(),
  length: z.number().int(),
  ...Written,
})
export type AuthorIds = z.infer<typeof AuthorIds>

/** An author of text; `color` is set for known people. */
export const AuthorInText = Author.extend({ color: z.string().optional() })
export type AuthorInText = z.infer<typeof AuthorInText>

/**
 * A run that wrote text: its instruction, the person who started it, the time, and its agent's name if it belongs to
 * another program.
 */
export const RunInText = z.object({
  id: z.string(),
  instruction: z.string(),
  invokedBy: Author,
  agentName: z.string().optional(),
  createdAt: z.iso.datetime(),
})
export type RunInText = z.infer<typeof RunInText>

/**
 * The author of each part of a document, at the state with this base64 Yjs state vector: by positions, or by Yjs ids.
 */
export const Authorship = z
  .object({
    stateVector: z.string(),
    ranges: z.array(AuthorRange).optional(),
    ids: z.array(AuthorIds).optional(),
    authors: z.array(AuthorInText),
    runs: z.array(RunInText),
  })
  .meta({ id: 'Authorship' })
export type Authorship = z.infer<typeof Authorship>

export const AuthorshipQuery = z.object({ by: z.enum(['positions', 'ids']).default('positions') })
