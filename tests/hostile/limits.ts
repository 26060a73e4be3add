import {
  AWARENESS_LIMIT,
  DOCUMENT_LIMITS,
  FRAME_LIMIT,
  STRUCTURE_LIMITS,
  UPDATE_LIMIT,
  UPDATE_LIMITS,
} from '@copydesk/protocol'

/**
 * The limits that docs/protocol.md names, as the table of hostile inputs reaches for them: a limit that is changed
 * moves the inputs with it.
 */
export const limits = {
  frameBytes: FRAME_LIMIT,
  updateBytes: UPDATE_LIMIT,
  titleCharacters: 300,
  frontmatterBytes: 64 * 1024,
  clientsInUpdate: UPDATE_LIMITS.clientIds,
  clientsOfAccount: 300,
  clientsInDocument: STRUCTURE_LIMITS.clientIds,
  structsInUpdate: UPDATE_LIMITS.structs,
  deletedRangesInUpdate: UPDATE_LIMITS.deletedRanges,
  textItemUnits: UPDATE_LIMITS.text,
  combiningMarks: 64,
  childrenOfNode: STRUCTURE_LIMITS.children,
  itemsInText: STRUCTURE_LIMITS.textItems,
  depth: 200,
  clock: 2 ** 32,
  stepsInUpdate: UPDATE_LIMITS.steps,
  stepsInDocument: STRUCTURE_LIMITS.steps,
  documentStructs: DOCUMENT_LIMITS.pieces,
  documentCharacters: DOCUMENT_LIMITS.characters,
  vectorEntriesBeyondDocument: 1000,
  heldBytes: 8 * 1024 * 1024,
  heldUpdates: 20_000,
  awarenessBytes: AWARENESS_LIMIT,
  awarenessEntries: 1000,
  imageBytes: 10 * 1024 * 1024,
  bodyBytes: 10 * 1024 * 1024,
  eventStreams: 50,
  refusalsInARow: 60,
} as const

/** What "held" means: the highest cost of an input for other users. */
export const allowed = {
  healthMs: 250,
  acknowledgedMs: 500,
  openMs: 2000,
  memoryBytes: 128 * 1024 * 1024,
} as const

/**
 * How a socket is closed for what its client sent: the code, and a word of the reason where several limits share a
 * code.
 */
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
