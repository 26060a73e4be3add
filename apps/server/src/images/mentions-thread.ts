import { answerRequests } from '../threads/thread-worker.ts'
import { findMentions, type ImageMention, type MentionsInRow } from './image-mentions.ts'

/** Rows of one log to scan, and the undeleted mentions of earlier rows. */
export type MentionsRequest = { rows: { seq: number; bytes: Uint8Array }[]; open: ImageMention[] }

answerRequests<MentionsRequest, MentionsInRow[]>(({ rows, open }) => findMentions(rows, open))
