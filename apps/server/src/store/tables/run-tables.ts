import type { Access, UnstartedReason } from '@copydesk/protocol'
import type { Generated } from 'kysely'

/** Tables of runs, and of the chat that starts them. Times, ids and JSON as in `Tables`. */
export type RunTables = {
  runs: {
    id: string
    document: string
    status: string
    trigger_kind: string
    trigger_id: string
    instruction: string
    invoked_by: string
    invoked_by_name: string
    /** The upper limit of its access: its caller's access when it was started. */
    access_limit: Generated<Access>
    /** The API key with which a program started it; the run stops when the key is no longer valid. */
    api_key: Generated<string | null>
    /** The name of a named or outside agent; null for the server's default agent. */
    agent_name: Generated<string | null>
    /** The id of a named agent; null for the server's default agent and for outside agents. */
    agent: Generated<string | null>
    agent_handle: Generated<string | null>
    /** The model of the last answer, by the provider's name for it; null before the first answer. */
    model: Generated<string | null>
    /** The cost of its tokens, in millionths of the currency of the configured prices; null without a price. */
    cost: Generated<number | null>
    /** The whole text of a mention's block, if other people wrote parts of it; `instruction` is the sender's part. */
    context: Generated<string | null>
    /**
     * The conversation of the chat message that started it; null for the document's first conversation, and without a
     * message.
     */
    conversation: Generated<string | null>
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
    /** The milliseconds that workers have spent on it, without waiting for people. */
    used_ms: Generated<number>
    /** The number of claims by workers since its last progress. */
    idle_claims: Generated<number>
    /** How often it was extended by the same number of rounds. */
    continued: Generated<number>
    /** 1 if all its changes have been undone. */
    undone: Generated<number>
    created_at: number
    ended_at: number | null
  }
  /**
   * Mentions of agents that were sent but never start a run. `sender` is a person's id, or `run:` and a run's id;
   * `shown` is 1 when the room contains the mention.
   */
  unstarted_mentions: {
    document: string
    request_id: string
    sender: string
    reason: UnstartedReason
    at: number
    shown: Generated<number>
  }
  run_steps: {
    id: string
    run: string
    position: number
    tool: string
    arguments: string
    status: string
    summary: string
    /** The translatable summary, as `Localizable`; null in rows of earlier versions. */
    localizable: Generated<string | null>
    /**
     * For a call that was held for approval: the proposed change, a person's decision, and the arguments that the
     * person substituted.
     */
    proposal: string | null
    approval: string | null
    approved_arguments: string | null
    /** The newest row of the content log that this step or an earlier one has written; null until the step ends. */
    last_seq: Generated<number | null>
    changed: Generated<number>
    undone: Generated<number>
    /** The changed blocks, as `TextPair[]`. */
    blocks: Generated<string | null>
    /**
     * The number of the model's answer that made the call, counted from one, and the text before the answer's first
     * call.
     */
    round: Generated<number | null>
    said: Generated<string | null>
    /** The text that it read or the reason of its failure, as `StepDetail` of runs/step-details.ts. */
    detail: Generated<string | null>
    /** The time when the call was sent to a tool server: it may have taken effect, so it is sent only once. */
    sent_at: Generated<number | null>
    started_at: number
    ended_at: number | null
  }
  /**
   * The change of a project file that a call proposes, by the id of its step. `base` is the file's text at the time of
   * the proposal, null if there was no file; `written` is the written text, null until then.
   */
  file_proposals: {
    run: string
    call: string
    path: string
    description: string
    base: string | null
    content: string
    written: string | null
  }
  /** Rows of a content log that belong to calls that were cut off: they count as undone permanently. */
  cut_rows: { name: string; seq: number; run: string }
  /** Rows of content logs with which a run decided on suggested changes of its own, of other runs or of people. */
  run_decisions: { name: string; seq: number; run: string }
  /**
   * Rows of content logs that undo or redo changes of a run or of one of its steps; `copies` is `Copy[]` of
   * provenance/log-rows.ts.
   */
  run_undos: {
    name: string
    seq: number
    run: string
    step: string | null
    kind: 'undo' | 'redo'
    copies: string
    actor: string
    at: number
  }
  /** Rows of content logs that restored a version, which ended with the row `version`; `copies` as in `run_undos`. */
  restored_rows: { name: string; seq: number; version: number; copies: string }
  /** The messages of the model and its tools, in order: `TranscriptMessage` of the agent package as JSON. */
  run_messages: { run: string; position: number; message: string }
  /** The calls of an outside agent in a run, numbered from 0 in the order of execution. */
  run_calls: { run: string; position: number; id: string; tool: string; arguments: string; at: number }
  messages: {
    id: string
    document: string
    role: 'user' | 'agent'
    author_id: string
    author_name: string
    author_kind: 'person' | 'agent'
    text: string
    /** The people that the text mentions, as `Mentioned[]`. */
    mentions: Generated<string | null>
    status: 'streaming' | 'complete'
    /** Null for the first conversation of the document. */
    conversation: Generated<string | null>
    run: string | null
    created_at: number
  }
}
