/**
 * Frames of the Hocuspocus 4 protocol, encoded and decoded without the library, so that tests can send invalid ones.
 * Numbers are varints as in lib0: seven bits per byte, the lowest first.
 */
export type SyncType = 0 | 1 | 2

export const frameTypes = {
  sync: 0,
  awareness: 1,
  auth: 2,
  queryAwareness: 3,
  /** A sync message in response to a client's. */
  syncReply: 4,
  stateless: 5,
  close: 7,
  status: 8,
} as const

/** A number as varint. */
export function varUint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  return Uint8Array.of(...bytes, rest)
}

/** Bytes with their length before them. */
export function varBytes(bytes: Uint8Array): Uint8Array {
  return concat(varUint(bytes.byteLength), bytes)
}

/** A text in UTF-8 with its length before it. */
export function varString(text: string): Uint8Array {
  return varBytes(Buffer.from(text))
}

export function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** A frame of any type about a document. */
export function frame(name: string, type: number, payload: Uint8Array = new Uint8Array()): Uint8Array {
  return concat(varString(name), varUint(type), payload)
}

/** The first frame about a document: its token. */
export function authFrame(name: string, token: string): Uint8Array {
  return frame(name, frameTypes.auth, concat(varUint(0), varString(token), varString('4.8.0')))
}

/** SyncStep1 (0, a state vector), SyncStep2 (1, an update) or Update (2, an update). */
export function syncFrame(name: string, type: SyncType, payload: Uint8Array): Uint8Array {
  return frame(name, frameTypes.sync, concat(varUint(type), varBytes(payload)))
}

export type AwarenessClaim = { clientId: number; clock: number; state: unknown }

/** An awareness frame with these entries. */
export function awarenessFrame(name: string, claims: AwarenessClaim[]): Uint8Array {
  const entries = claims.map(({ clientId, clock, state }) =>
    concat(varUint(clientId), varUint(clock), varString(JSON.stringify(state))),
  )
  return frame(name, frameTypes.awareness, varBytes(concat(varUint(claims.length), ...entries)))
}

/** A frame of the server, decoded as far as tests need it. */
export type ServerFrame = { name: string; type: number; subtype: number; rest: Uint8Array }

/** Decodes a frame of the server; `rest` are the bytes after the subtype. */
export function readServerFrame(bytes: Uint8Array): ServerFrame | undefined {
  if (bytes.byteLength < 2) return undefined
  const nameLength = readVarUint(bytes, 0)
  const name = Buffer.from(bytes.subarray(nameLength.next, nameLength.next + nameLength.value)).toString()
  const type = readVarUint(bytes, nameLength.next + nameLength.value)
  const subtype = readVarUint(bytes, type.next)
  return { name, type: type.value, subtype: subtype.value, rest: bytes.subarray(subtype.next) }
}

/** The length-prefixed bytes at the start of an array. */
export function readBytes(bytes: Uint8Array): Uint8Array {
  const length = readVarUint(bytes, 0)
  return bytes.slice(length.next, length.next + length.value)
}

/** The varString at the start of an array. */
export function readText(bytes: Uint8Array): string {
  return Buffer.from(readBytes(bytes)).toString()
}

function readVarUint(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0
  let factor = 1
  for (let at = from; ; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * factor
    factor *= 128
    if (byte < 128) return { value, next: at + 1 }
  }
}
