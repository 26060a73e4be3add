import type { Selectable } from 'kysely'

/** Times are milliseconds since 1970, ids are text, JSON is text. One interface for SQLite and PostgreSQL. */
export type Tables = {
  people: { id: string; name: string; color: string; created_at: number }
  documents: {
    id: string
    title: string
    /** The title as search compares it, see `foldText`. */
    folded_title: string
    agent_mode: 'edit' | 'suggest' | 'ask'
    created_by: string
    created_at: number
    updated_at: number
    trashed_at: number | null
  }
  /** One row a log: `<id>` and `<id>/room`. `seq` is the newest update; whoever raises it holds the row's lock. */
  logs: { name: string; document: string; seq: number }
  document_updates: { name: string; seq: number; bytes: Uint8Array; actor: string; run: string | null; at: number }
  quarantined_updates: { name: string; seq: number; error: string; at: number }
  /** `state` holds all updates up to `seq`; `text` is what search looks in (lower case). */
  document_snapshots: { name: string; seq: number; state: Uint8Array; text: string; at: number }
  runs: {
    id: string
    document: string
    status: string
    trigger_kind: string
    trigger_id: string
    instruction: string
    invoked_by: string
    invoked_by_name: string
    mode: 'edit' | 'suggest' | 'ask'
    selection: string | null
    rounds: number
    max_rounds: number
    input_tokens: number
    output_tokens: number
    answer: string | null
    notice: string | null
    error: string | null
    epoch: number
    stop_requested: number
    coordinates: string | null
    created_at: number
    ended_at: number | null
  }
  run_steps: {
    id: string
    run: string
    position: number
    tool: string
    arguments: string
    status: string
    summary: string
    started_at: number
    ended_at: number | null
  }
  /** What the model and its tools said, in order: `TranscriptMessage` of the agent package as JSON. */
  run_messages: { run: string; position: number; message: string }
  messages: {
    id: string
    document: string
    role: 'user' | 'agent'
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    text: string
    status: 'streaming' | 'complete'
    run: string | null
    created_at: number
  }
}

export type DocumentRow = Selectable<Tables['documents']>
export type RunRow = Selectable<Tables['runs']>
export type StepRow = Selectable<Tables['run_steps']>
export type MessageRow = Selectable<Tables['messages']>
