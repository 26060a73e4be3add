import { STRUCTURE_LIMITS, UPDATE_LIMITS } from '@copydesk/protocol'
import * as decoding from 'lib0/decoding'

/** The contents of an update, counted without decoding it. */
export type UpdateScan = {
  /** The client ids of the structs, each once. */
  clients: number[]
  structs: number
  /** Ranges of deleted clocks. */
  ranges: number
  /** The names of the root types into which structs are inserted, at most nine. */
  roots: ReadonlySet<string>
}

/** An update exceeds a limit. */
export class UpdateTooCostlyError extends Error {
  override readonly name = 'UpdateTooCostlyError'
}

const limits = {
  structs: UPDATE_LIMITS.structs,
  values: UPDATE_LIMITS.values,
  ranges: UPDATE_LIMITS.deletedRanges,
  // A full state names every client id of the document.
  clients: STRUCTURE_LIMITS.clientIds + UPDATE_LIMITS.clientIds,
  roots: 8,
} as const

// A client id has 32 bits in Yjs, 53 in other implementations; no supported document reaches 2^32 characters.
const clockLimit = 2 ** 32
// The deepest value in the schema is a column's widths.
const anyDepth = 16

const bit6 = 0b0010_0000
const bit7 = 0b0100_0000
const bit8 = 0b1000_0000
const bits5 = 0b0001_1111
const skip = 10
const contents = { deleted: 1, json: 2, binary: 3, string: 4, embed: 5, format: 6, type: 7, any: 8 } as const
/** Types of Yjs that are followed by a name: XmlElement and XmlHook. */
const namedTypes: ReadonlySet<number> = new Set([3, 5])

/**
 * Counts the contents of an update (V1, https://github.com/yjs/yjs/blob/v13.6.27/src/utils/updates.js) in one pass that
 * allocates no memory for them and stops at the limits, so it is cheap for any bytes.
 * @throws UpdateTooCostlyError above a limit.
 * @throws RangeError for bytes that Yjs doesn't write: client ids with several blocks (Yjs decodes all and applies the
 * last), with an empty one, or out of order; deleted ranges that overlap or are out of order (Yjs iterates over each);
 * sub-documents; trailing bytes.
 */
export function scanUpdate(update: Uint8Array): UpdateScan {
  const decoder = decoding.createDecoder(update)
  const counts: Counts = { structs: 0, values: 0, ranges: 0, roots: new Set() }
  const clients = scanStructs(decoder, counts)
  scanDeletes(decoder, counts)
  if (decoding.hasContent(decoder)) throw new RangeError('bytes after the end of the update')
  const { structs, ranges, roots } = counts
  return { clients, structs, ranges, roots }
}

/** `values`: values inside structs, including nested ones. */
type Counts = { structs: number; values: number; ranges: number; roots: Set<string> }

function scanStructs(decoder: decoding.Decoder, counts: Counts): number[] {
  const blocks = readCount(decoder)
  if (blocks > limits.clients) throw new UpdateTooCostlyError(`more than ${limits.clients} client ids`)
  const clients: number[] = []
  for (let block = 0; block < blocks; block++) {
    const count = readCount(decoder)
    const client = decoding.readVarUint(decoder)
    if (count === 0) throw new RangeError('a client id has an empty block')
    // Yjs writes higher ids first, and merging updates loses blocks in another order.
    if (client >= (clients.at(-1) ?? Infinity)) throw new RangeError('client ids with several blocks, or out of order')
    clients.push(client)
    counts.structs += count
    if (counts.structs > limits.structs) throw new UpdateTooCostlyError(`more than ${limits.structs} structs`)
    readClock(decoder)
    for (let struct = 0; struct < count; struct++) scanStruct(decoder, counts)
  }
  return clients
}

function scanStruct(decoder: decoding.Decoder, counts: Counts): void {
  const { roots } = counts
  const info = decoding.readUint8(decoder)
  if (info === skip || (info & bits5) === 0) return void readClock(decoder)
  if ((info & bit8) !== 0) readId(decoder)
  if ((info & bit7) !== 0) readId(decoder)
  if ((info & (bit7 | bit8)) === 0) {
    if (decoding.readVarUint(decoder) !== 1) readId(decoder)
    // More names than known root types: at least one is unknown, so the remaining names don't matter.
    else if (roots.size > limits.roots) skipBytes(decoder)
    else roots.add(decoding.readVarString(decoder))
    if ((info & bit6) !== 0) skipBytes(decoder)
  }
  scanContent(decoder, info & bits5, counts)
}

function scanContent(decoder: decoding.Decoder, content: number, counts: Counts): void {
  switch (content) {
    case contents.deleted:
      return void readClock(decoder)
    case contents.json:
      for (let left = readValues(decoder, counts); left > 0; left--) skipJson(decoder, counts)
      return undefined
    case contents.binary:
    case contents.string:
      return skipBytes(decoder)
    case contents.embed:
      return skipJson(decoder, counts)
    case contents.format:
      skipBytes(decoder)
      return skipJson(decoder, counts)
    case contents.type:
      if (namedTypes.has(decoding.readVarUint(decoder))) skipBytes(decoder)
      return undefined
    case contents.any:
      for (let left = readValues(decoder, counts); left > 0; left--) skipAny(decoder, counts, 0)
      return undefined
    default:
      throw new RangeError(content === 9 ? 'a sub-document' : `unknown content ${content}`)
  }
}

function scanDeletes(decoder: decoding.Decoder, counts: Counts): void {
  const clients = new Set<number>()
  const blocks = readCount(decoder)
  for (let block = 0; block < blocks; block++) {
    const client = decoding.readVarUint(decoder)
    if (clients.has(client)) throw new RangeError('a client id has several lists of deletions')
    clients.add(client)
    const count = readCount(decoder)
    // An empty list of ranges costs about as much as a range.
    counts.ranges += Math.max(1, count)
    if (counts.ranges > limits.ranges) throw new UpdateTooCostlyError(`more than ${limits.ranges} deleted ranges`)
    let end = 0
    for (let range = 0; range < count; range++) {
      const clock = readClock(decoder)
      const length = readClock(decoder)
      if (clock < end) throw new RangeError('deleted ranges that overlap or are out of order')
      end = clock + length
    }
  }
}

function readClock(decoder: decoding.Decoder): number {
  const clock = decoding.readVarUint(decoder)
  if (clock >= clockLimit) throw new RangeError(`a clock beyond ${clockLimit}`)
  return clock
}

/** Reads a count of following elements, each of which takes at least one byte. */
function readCount(decoder: decoding.Decoder): number {
  const count = decoding.readVarUint(decoder)
  if (count > decoder.arr.byteLength - decoder.pos) throw new RangeError('unexpected end of the update')
  return count
}

function readValues(decoder: decoding.Decoder, counts: Counts): number {
  const count = readCount(decoder)
  countValues(counts, count)
  return count
}

function countValues(counts: Counts, count: number): void {
  counts.values += count
  if (counts.values > limits.values) throw new UpdateTooCostlyError(`more than ${limits.values} values`)
}

function readId(decoder: decoding.Decoder): void {
  decoding.readVarUint(decoder)
  readClock(decoder)
}

/** Skips a string or a byte array; both begin with their length in bytes. */
function skipBytes(decoder: decoding.Decoder): void {
  forward(decoder, decoding.readVarUint(decoder))
}

function forward(decoder: decoding.Decoder, bytes: number): void {
  if (bytes > decoder.arr.byteLength - decoder.pos) throw new RangeError('unexpected end of the update')
  decoder.pos += bytes
}

/**
 * Skips a JSON string and counts its values and levels, whose parsing cost can be far higher than their bytes suggest.
 */
function skipJson(decoder: decoding.Decoder, counts: Counts): void {
  const length = decoding.readVarUint(decoder)
  const start = decoder.pos
  forward(decoder, length)
  let depth = 0
  let isInString = false
  for (let at = start; at < decoder.pos; at++) {
    const character = decoder.arr[at]
    if (character === json.quote) isInString = !isInString
    else if (isInString) at += character === json.backslash ? 1 : 0
    else if (character === json.array || character === json.object) {
      countValues(counts, 1)
      depth += 1
      if (depth > anyDepth) throw new RangeError('a value that is nested too deep')
    } else if (character === json.arrayEnd || character === json.objectEnd) depth -= 1
    else if (character === json.comma) countValues(counts, 1)
  }
}

const json = { quote: 34, comma: 44, array: 91, backslash: 92, arrayEnd: 93, object: 123, objectEnd: 125 } as const

/** Skips a value as written by `lib0/encoding.writeAny`. */
function skipAny(decoder: decoding.Decoder, counts: Counts, depth: number): void {
  if (depth > anyDepth) throw new RangeError('a value that is nested too deep')
  const type = decoding.readUint8(decoder)
  switch (type) {
    case 127: // undefined
    case 126: // null
    case 121: // false
    case 120: // true
      return undefined
    case 125: // integer
      return void decoding.readVarInt(decoder)
    case 124: // float32
      return forward(decoder, 4)
    case 123: // float64
    case 122: // bigint
      return forward(decoder, 8)
    case 119: // string
    case 116: // bytes
      return skipBytes(decoder)
    case 118: // object
      for (let left = readValues(decoder, counts); left > 0; left--) {
        skipBytes(decoder)
        skipAny(decoder, counts, depth + 1)
      }
      return undefined
    case 117: // array
      for (let left = readValues(decoder, counts); left > 0; left--) skipAny(decoder, counts, depth + 1)
      return undefined
    default:
      throw new RangeError(`an unknown kind of value ${type}`)
  }
}
