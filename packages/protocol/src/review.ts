import { z } from 'zod'
import { Mentioned, MentionIds } from './people/notifications.ts'
import { Author } from './people/people.ts'
import { Selection } from './runs.ts'

const Text = z
  .string()
  .trim()
  .min(1, 'Write what you want to say.')
  .max(20_000, 'A comment has at most 20,000 characters.')

const Quote = z.string().min(1, 'quote: the text that this is about.').max(20_000)

/**
 * The word that calls the agent with this handle in a comment or message, in upper or lower case, as the source of a
 * regular expression with the flag `u`: a separate word, not part of an address such as me@agent.example or of a longer
 * name.
 */
export function handleWord(handle: string): string {
  const letters = handle.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
  return String.raw`(?<![\p{L}\p{N}_@.+-])@${letters}(?![\p{L}\p{N}_]|[.-][\p{L}\p{N}_])`
}

/** The emoji with which people react to comments. */
export const ReactionEmoji = z.enum(['👍', '👎', '❤️', '🎉', '😄', '😕', '👀', '🚀'])
export type ReactionEmoji = z.infer<typeof ReactionEmoji>

/** An emoji with the people who reacted with it, in order. */
export const Reaction = z
  .object({ emoji: ReactionEmoji, people: z.array(z.object({ id: z.string(), name: z.string() })) })
  .meta({ id: 'Reaction' })
export type Reaction = z.infer<typeof Reaction>

/**
 * One comment of a thread. `run` is the agent's run that wrote it, or the run that it started. `replacement` is the
 * plain text that it proposes instead of the thread's quote; `suggested` is the id of the latest suggested change that
 * was created from it. `editedAt` is when its author last changed the text. Times are ISO 8601.
 */
export const Comment = z
  .object({
    id: z.string(),
    author: Author,
    text: z.string(),
    mentions: z.array(Mentioned).optional(),
    replacement: z.string().optional(),
    suggested: z.string().optional(),
    createdAt: z.iso.datetime(),
    editedAt: z.iso.datetime().optional(),
    run: z.string().optional(),
    reactions: z.array(Reaction).optional(),
  })
  .meta({ id: 'Comment' })
export type Comment = z.infer<typeof Comment>

/**
 * A comment thread. `quote` is the text that it was created on; `orphaned` says that this text is no longer in the
 * document.
 */
export const Thread = z
  .object({
    id: z.string(),
    quote: z.string(),
    resolved: z.boolean(),
    orphaned: z.boolean(),
    comments: z.array(Comment),
  })
  .meta({ id: 'Thread' })
export type Thread = z.infer<typeof Thread>

export const ThreadList = z.object({ threads: z.array(Thread) })
export const PostThread = z
  .object({ quote: Quote.optional(), text: Text, selection: Selection.optional(), mentions: MentionIds })
  .refine(({ quote, selection }) => quote !== undefined || selection !== undefined, 'Give a quote or a selection.')
export const PostComment = z.object({ text: Text, mentions: MentionIds })
export const PatchThread = z.object({ resolved: z.boolean() })

/** A person, or a run of the agent, that has written into another author's suggestion. */
export const ChangeContributor = Author.extend({ run: z.string().optional() }).meta({ id: 'ChangeHand' })
export type ChangeContributor = z.infer<typeof ChangeContributor>

/**
 * The author and time of a suggested change: stored in the room document under the change's id. The change itself is in
 * the content document. `alsoBy` are other authors who have added content under the id, the first twenty in order.
 */
export const ChangeRecord = z.object({
  id: z.string(),
  author: Author,
  run: z.string().optional(),
  alsoBy: z.array(ChangeContributor).optional(),
  createdAt: z.iso.datetime(),
})
export type ChangeRecord = z.infer<typeof ChangeRecord>

/**
 * Whether a decision on all changes of one author or run includes this change: only if no other person except the
 * deciding user has also written into it. Otherwise deciding one author's changes would decide those of others.
 */
export function hasNoContributorExcept(
  { alsoBy = [] }: { alsoBy?: readonly ChangeContributor[] | undefined },
  decider: string,
): boolean {
  return alsoBy.every(({ id, run }) => id === decider && run === undefined)
}

/** A suggested change that is still undecided. `before` and `after` are plain text. */
export const Change = ChangeRecord.extend({
  type: z.enum(['insertion', 'deletion', 'replacement', 'formatting', 'block']),
  before: z.string(),
  after: z.string(),
}).meta({ id: 'Change' })
export type Change = z.infer<typeof Change>

export const ChangeList = z.object({ changes: z.array(Change) })
export const DecideChange = z.object({ decision: z.enum(['accept', 'reject']) })
/**
 * Suggests a change of a quote or selection, or the `replacement` of a comment (its id), or decides on all open
 * changes, or on those of an `author` (their id), of a `run`, or of both.
 */
export const PostChange = z.union([
  z.object({ quote: Quote.optional(), selection: Selection.optional(), replaceWith: z.string().max(200_000) }),
  z.object({ comment: z.string() }),
  DecideChange.extend({ author: z.string().optional(), run: z.string().optional() }),
])

/**
 * A range of the text that the agent highlights: two base64 Yjs relative positions. It is removed at `expiresAt`, when
 * a user dismisses it, or at the caller's next run.
 */
export const Highlight = z
  .object({
    id: z.string(),
    anchor: z.string(),
    head: z.string(),
    color: z.string(),
    author: Author,
    invokedBy: z.string(),
    run: z.string().optional(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Highlight' })
export type Highlight = z.infer<typeof Highlight>
