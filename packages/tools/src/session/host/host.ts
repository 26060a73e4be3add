import type { ToolFailure } from '../../common/result.ts'
import type { CaretPosition } from './caret.ts'
import type { WebHost } from './web-host.ts'
import type { ProjectHost } from './project-host.ts'

export type HostAuthor = { id: string; name: string; kind: 'person' | 'agent' }

/** The author of a change; `alsoBy` are other authors who have changed its text. */
export type HostChangeAuthor = HostAuthor & { run?: string; alsoBy?: HostAuthor[] }

/**
 * A comment thread from the room document. `replacement` is the text that a comment proposes instead of the thread's
 * text.
 */
export type HostThread = {
  id: string
  quote: string
  resolved: boolean
  orphaned: boolean
  comments: { id: string; author: HostAuthor; text: string; replacement?: string | undefined }[]
}

/** A change of one step: the text of a block before and after it; empty where the block was added or removed. */
export type EarlierStep = {
  number: number
  summary: string
  undone: boolean
  changes: readonly { before: string; after: string }[]
}

/**
 * An earlier run that changed the document. `number` counts the runs of the document from 1; `by` is the person who
 * started it.
 */
export type EarlierRun = { number: number; by: string; request: string; undone: boolean; steps: readonly EarlierStep[] }

/** The earlier runs of a document. */
export type HistoryHost = {
  /** The latest runs that changed the document, the newest first, without the session's own. */
  runs(): Promise<readonly EarlierRun[]>
  /** Whether earlier runs exist, as far as known without a request. */
  hasRuns(): boolean
  /** Undoes a run, or one of its steps, as the caller. */
  undo(run: number, step: number | undefined): Promise<Outcome>
}

/**
 * The session's interface to all data besides the document's content: threads, authors of changes, highlights, the
 * caller's view, images, the web. The server implements it over its store, `createHeadlessHost` over a room Y.Doc. All
 * data with an author is written through it (the server records it, so it can’t be forged). Ids are derived from (run,
 * call), so that a repeated call leaves one thread. Expected failures are values.
 */
export type ReviewHost = {
  threads(): HostThread[]
  /** The thread with this id, without checking whether its text still exists. */
  thread(id: string): Omit<HostThread, 'orphaned'> | undefined
  /** The author of the change with this id; `undefined` while it isn't known yet. */
  authorOfChange(id: string): HostChangeAuthor | undefined
  /**
   * Starts a thread on a range of the content (`range` as in awareness: two Yjs relative positions as JSON); `comment`
   * is the id of its first comment. An existing thread with this id is unchanged.
   */
  addThread(thread: {
    id: string
    comment: string
    quote: string
    text: string
    range: CaretPosition
    replacement?: string
  }): Promise<Outcome>
  /** Replies in a thread; `id` becomes the comment's id. An existing comment with this id is unchanged. */
  reply(thread: string, comment: { id: string; text: string }): Promise<Outcome>
  setResolved(thread: string, resolved: boolean): Promise<Outcome>
  /** Accepts or rejects suggested changes as the caller. */
  decide(ids: readonly string[], decision: 'accept' | 'reject'): Promise<Outcome>
  /** Shows a highlight to all users; with `durationMs` undefined, until it is dismissed or the caller's next run. */
  highlight(highlight: {
    id: string
    range: CaretPosition
    color: string
    durationMs?: number
  }): Promise<HighlightHandle | ToolFailure>
  /** Asks the caller's browser to scroll to a position; returns false if the document has no viewer. */
  scrollTo(target: { position: unknown; select: boolean }): unknown
  /** Fetches, checks and stores an image; returns the address under which the document shows it. */
  storeImage(url: string): Promise<{ ok: true; url: string; credit?: string } | ToolFailure>
  /** Absent if no history of runs is stored. */
  history?: HistoryHost
  /** Absent if the host reads no data outside the document. */
  web?: WebHost
  /** Absent without a project, or if the caller may not read it. */
  project?: ProjectHost
}

/** A visible highlight. `remove` removes it early; it may be called twice. */
export type HighlightHandle = { ok: true; remove(): Promise<void> }

export type Outcome = { ok: true } | ToolFailure
