import { answerRequests } from '../threads/thread-worker.ts'
import { findMentions, type ImageMention, type MentionsInRow } from './image-mentions.ts'

/** Rows of one log to look through, and the mentions in earlier ones that nobody has deleted. */
export type MentionsRequest = { rows: { seq: number; bytes: Uint8Array }[]; open: ImageMention[] }

answerRequests<MentionsRequest, MentionsInRow[]>(({ rows, open }) => findMentions(rows, open))
