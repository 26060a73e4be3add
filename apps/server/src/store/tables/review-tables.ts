import type { Generated } from 'kysely'

/** Tables of comment threads and suggested changes. Times, ids and JSON as in `Tables`. */
export type ReviewTables = {
  /**
   * `quote` is the text for which the thread was created, `marked` the text last found under its mark, `prefix` and
   * `suffix` the words around that: they help to find the position again after the mark is lost.
   */
  threads: {
    document: string
    id: string
    quote: string
    marked: string
    prefix: string
    suffix: string
    resolved: number
    orphaned: number
    created_at: number
  }
  comments: {
    document: string
    id: string
    thread: string
    position: number
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    text: string
    mentions: Generated<string | null>
    /** The wording that it proposes for the thread's text, and the latest suggested change that was created from it. */
    replacement: Generated<string | null>
    suggested: Generated<string | null>
    run: string | null
    /** The API key with which a program wrote it. */
    api_key: Generated<string | null>
    created_at: number
    edited_at: Generated<number | null>
    /** The reactions: people and their emoji. */
    reactions: Generated<string | null>
  }
  /** The author of a suggested change, and the decision on it. The change itself is in the content, under its id. */
  changes: {
    document: string
    id: string
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    run: string | null
    created_at: number
    decision: 'accept' | 'reject' | null
    decided_by: string | null
    decided_by_name: string | null
    decided_at: number | null
    /** The message for integrations when the change is accepted. */
    update_json: string | null
    /** The row of the content log that added it, or the newest row if the server wrote it itself. */
    seq: number
  }
  /**
   * Other writers of a suggested change: they added text to it or moved its marks. `writer` is a person's id, or `run:`
   * and a run's id; the name is the writer's name at that time.
   */
  change_contributors: {
    document: string
    change: string
    writer: string
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    run: string | null
    at: number
  }
}
