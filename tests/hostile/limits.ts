/**
 * The limits that docs/protocol.md names, as the table of hostile inputs reaches for them. They stand here until the product exports them; then
 * each of these is the product's own constant, so that a limit that is changed moves the inputs with it.
 */
export const limits = {
  frameBytes: 16 * 1024 * 1024,
  updateBytes: 64 * 1024 * 1024,
  titleCharacters: 300,
  frontmatterBytes: 64 * 1024,
  clientsInUpdate: 100,
  clientsOnConnection: 200,
  clientsOfAccount: 5000,
  clientsInDocument: 50_000,
  structsInUpdate: 500_000,
  deletedRangesInUpdate: 100_000,
  textItemUnits: 1_000_000,
  combiningMarks: 64,
  childrenOfNode: 100_000,
  itemsInText: 20_000,
  depth: 200,
  clock: 2 ** 32,
  stepsInUpdate: 200_000,
  stepsInDocument: 5_000_000,
  documentStructs: 600_000,
  documentCharacters: 5_000_000,
  vectorEntriesBeyondDocument: 1000,
  heldBytes: 8 * 1024 * 1024,
  heldUpdates: 20_000,
  awarenessBytes: 4096,
  awarenessEntries: 1000,
  imageBytes: 10 * 1024 * 1024,
  bodyBytes: 10 * 1024 * 1024,
  eventStreams: 50,
  refusalsInARow: 60,
} as const

/** What "held" means: the most that an input may cost anybody but its sender. */
export const allowed = {
  healthMs: 250,
  acknowledgedMs: 500,
  openMs: 2000,
  memoryBytes: 128 * 1024 * 1024,
} as const

/** How a socket is closed for what its client sent: the code, and a word of the reason where several limits share a code. */
export type Refusal = { code: number; reason: string }

/** The refusals of docs/protocol.md. By HTTP the same are 400 and 413. */
export const refusals = {
  invalid: { code: 4400, reason: '' },
  schema: { code: 4422, reason: 'schema_refused' },
  tooLarge: { code: 4413, reason: '' },
  tooManyClients: { code: 4413, reason: 'too_many_client_ids' },
  tooCostly: { code: 4413, reason: 'too_costly' },
  documentFull: { code: 4413, reason: 'document_full' },
  frameTooLarge: { code: 1009, reason: '' },
  keptOut: { code: 4429, reason: '' },
} as const satisfies Record<string, Refusal>

/** Every code with which docs/protocol.md says that a socket may be closed. */
export const listedCloseCodes: readonly number[] = [
  1009, 1012, 4205, 4400, 4401, 4403, 4409, 4410, 4413, 4422, 4423, 4429,
]
