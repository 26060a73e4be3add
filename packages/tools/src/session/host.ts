import type { ToolFailure } from '../result.ts'
import type { CaretPosition } from './caret.ts'

/** Who said or suggested something. */
export type HostAuthor = { id: string; name: string; kind: 'person' | 'agent' }

/** Who suggested a change; `alsoBy` are others who have written into it. */
export type HostChangeAuthor = HostAuthor & { run?: string; alsoBy?: HostAuthor[] }

/** A comment thread as the room shows it. */
export type HostThread = {
  id: string
  quote: string
  resolved: boolean
  orphaned: boolean
  comments: { id: string; author: HostAuthor; text: string }[]
}

/**
 * What a session can reach beyond the document's content: threads, who suggested what, highlights, the caller's view, images. The
 * server implements it over its store, `createHeadlessHost` over a bare room Y.Doc. Everything that carries an author goes through
 * here (idea 5 of docs/decisions and design: the server records it, nobody can forge it). Ids come from (run, call), so that a call
 * that is made twice leaves one thread. Expected failures are values.
 */
export type ReviewHost = {
  threads(): HostThread[]
  /** The thread of this id, without looking whether its text is still there. */
  thread(id: string): Omit<HostThread, 'orphaned'> | undefined
  /** Who suggested the change of this id; `undefined` while that isn't known yet. */
  authorOfChange(id: string): HostChangeAuthor | undefined
  /**
   * Starts a thread on a range of the content (`range` as in awareness: two Yjs relative positions as JSON); `comment` is the id of its
   * first comment. A thread that exists already under this id is left as it is.
   */
  addThread(thread: {
    id: string
    comment: string
    quote: string
    text: string
    range: CaretPosition
  }): Promise<Outcome>
  /** Replies in a thread; `id` becomes the comment's. A comment that exists already under this id is left as it is. */
  reply(thread: string, comment: { id: string; text: string }): Promise<Outcome>
  setResolved(thread: string, resolved: boolean): Promise<Outcome>
  /** Accepts or rejects suggested changes as the caller. */
  decide(ids: readonly string[], decision: 'accept' | 'reject'): Promise<Outcome>
  /** Shows a highlight to everybody; `durationMs` undefined: until it is dismissed or the caller's next run. */
  highlight(highlight: { id: string; range: CaretPosition; color: string; durationMs?: number }): Promise<Outcome>
  /** Asks the caller's browser to scroll to a place. */
  scrollTo(target: { position: unknown; select: boolean }): void
  /** Fetches an image, checks and stores it; answers the address under which the document shows it. */
  storeImage(url: string): Promise<{ ok: true; url: string; credit?: string } | ToolFailure>
}

/** The outcome of something that the host did. */
export type Outcome = { ok: true } | ToolFailure
