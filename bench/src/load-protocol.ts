/** One document and its writers. */
export type LoadDocument = { name: string; tokens: string[] }

/**
 * What the clients are to do. `everyMs`: how often each types; null: at full speed, always a few updates ahead of the
 * acknowledgements.
 */
export type LoadRequest =
  | { kind: 'join'; url: string; documents: LoadDocument[] }
  | { kind: 'type'; everyMs: number | null; seconds: number }
  | { kind: 'seed-large'; url: string; document: string; token: string; bytes: number }
  | { kind: 'join-large'; url: string; document: string; token: string; times: number; everyMs: number }

/** Statistics of durations in milliseconds. */
export type Spans = { count: number; p50: number; p99: number; max: number }

/**
 * The result. `typed` counts acknowledged updates; `busy` is how busy the clients' own process was, 1 being a whole
 * core.
 */
export type LoadAnswer = { typed: number; acknowledged: Spans; propagated: Spans; busy: number; missing: number }
