import * as encoding from 'lib0/encoding'

/** The place of one unit of content: who wrote it, and the how-manieth of theirs it is. */
export type Id = { client: number; clock: number }

/** What an item holds: the number of its kind in the format, how many units it is long, and its bytes. */
export type Content = { ref: number; length: number; write(to: encoding.Encoder): void }

/**
 * Where an item goes. Without `left` and `right` it needs a parent: the name of a root type, or the item that holds the
 * type.
 */
export type Place = { left?: Id; right?: Id; parent?: string | Id; key?: string }

const refs = { deleted: 1, json: 2, binary: 3, text: 4, embed: 5, format: 6, type: 7, any: 8, doc: 9, skip: 10 }
const typeRefs = { array: 0, map: 1, text: 2, element: 3, fragment: 4, hook: 5, xmlText: 6 }
const flags = { left: 128, right: 64, key: 32 }

/**
 * Writes updates of Yjs' first format struct by struct, also such as Yjs itself wouldn't write: several blocks of one
 * client id, structs that build on nothing, deletions of what never was.
 * https://github.com/yjs/yjs/blob/v13.6.27/src/utils/encoding.js
 */
export class UpdateWriter {
  readonly #blocks: BlockWriter[] = []
  readonly #deleted = new Map<number, [number, number][]>()

  /** A further block of structs of a client id, the first of which has this clock. */
  block(client: number, clock = 0): BlockWriter {
    const block = new BlockWriter(client, clock)
    this.#blocks.push(block)
    return block
  }

  /** A range that is deleted; a client id's ranges are written in the order of these calls. */
  delete(client: number, clock: number, length: number): void {
    const ranges = this.#deleted.get(client)
    if (ranges) ranges.push([clock, length])
    else this.#deleted.set(client, [[clock, length]])
  }

  /**
   * Client ids from the highest to the lowest, as Yjs writes them and its `mergeUpdates` relies on; or in the order in
   * which their blocks were asked for.
   */
  bytes(order: 'sorted' | 'as asked for' = 'sorted'): Uint8Array {
    const encoder = encoding.createEncoder()
    const blocks = order === 'sorted' ? this.#blocks.toSorted((one, other) => other.client - one.client) : this.#blocks
    encoding.writeVarUint(encoder, blocks.length)
    for (const block of blocks) block.writeTo(encoder)
    encoding.writeVarUint(encoder, this.#deleted.size)
    for (const [client, ranges] of this.#deleted) {
      encoding.writeVarUint(encoder, client)
      encoding.writeVarUint(encoder, ranges.length)
      for (const range of ranges) for (const number of range) encoding.writeVarUint(encoder, number)
    }
    return encoding.toUint8Array(encoder)
  }
}

/** The structs of one block, each after the one before. */
export class BlockWriter {
  readonly client: number
  readonly #start: number
  readonly #structs = encoding.createEncoder()
  #count = 0
  #clock: number

  constructor(client: number, clock: number) {
    this.client = client
    this.#start = clock
    this.#clock = clock
  }

  /** The id that the next struct will begin with. */
  get next(): Id {
    return { client: this.client, clock: this.#clock }
  }

  get count(): number {
    return this.#count
  }

  /** Writes an item; answers the id of its last unit, which is what may stand to the left of the next. */
  add(content: Content, { left, right, parent, key }: Place): Id {
    const to = this.#structs
    const isPlaced = left !== undefined || right !== undefined
    encoding.writeUint8(to, content.ref | (left ? flags.left : 0) | (right ? flags.right : 0) | (key ? flags.key : 0))
    if (left) writeId(to, left)
    if (right) writeId(to, right)
    if (!isPlaced) writeParent(to, parent, key)
    content.write(to)
    return this.#advance(content.length)
  }

  /** What was collected: its place is known, and nothing else. */
  gc(length: number): Id {
    encoding.writeUint8(this.#structs, 0)
    encoding.writeVarUint(this.#structs, length)
    return this.#advance(length)
  }

  /** What isn't in this update. */
  skip(length: number): Id {
    encoding.writeUint8(this.#structs, refs.skip)
    encoding.writeVarUint(this.#structs, length)
    return this.#advance(length)
  }

  writeTo(encoder: encoding.Encoder): void {
    encoding.writeVarUint(encoder, this.#count)
    encoding.writeVarUint(encoder, this.client)
    encoding.writeVarUint(encoder, this.#start)
    encoding.writeUint8Array(encoder, encoding.toUint8Array(this.#structs))
  }

  #advance(length: number): Id {
    this.#count += 1
    this.#clock += length
    return { client: this.client, clock: this.#clock - 1 }
  }
}

function writeId(to: encoding.Encoder, { client, clock }: Id): void {
  encoding.writeVarUint(to, client)
  encoding.writeVarUint(to, clock)
}

function writeParent(to: encoding.Encoder, parent: string | Id | undefined, key: string | undefined): void {
  if (parent === undefined) throw new Error('an item needs something beside it or a parent')
  encoding.writeVarUint(to, typeof parent === 'string' ? 1 : 0)
  if (typeof parent === 'string') encoding.writeVarString(to, parent)
  else writeId(to, parent)
  if (key !== undefined) encoding.writeVarString(to, key)
}

export function text(characters: string): Content {
  return { ref: refs.text, length: characters.length, write: (to) => encoding.writeVarString(to, characters) }
}

/** A mark that begins here, or with `null` ends. */
export function format(name: string, value: unknown): Content {
  return {
    ref: refs.format,
    length: 1,
    write(to) {
      encoding.writeVarString(to, name)
      encoding.writeVarString(to, JSON.stringify(value))
    },
  }
}

/** Values of an attribute or an array. */
export function any(...values: unknown[]): Content {
  return {
    ref: refs.any,
    length: values.length,
    write(to) {
      encoding.writeVarUint(to, values.length)
      for (const value of values) encoding.writeAny(to, value as Parameters<typeof encoding.writeAny>[1])
    },
  }
}

/** Content whose bytes are handed in as they are. */
export function raw(kind: keyof typeof refs, length: number, bytes: Uint8Array): Content {
  return { ref: refs[kind], length, write: (to) => encoding.writeUint8Array(to, bytes) }
}

export function deleted(length: number): Content {
  return { ref: refs.deleted, length, write: (to) => encoding.writeVarUint(to, length) }
}

export function json(...values: unknown[]): Content {
  return {
    ref: refs.json,
    length: values.length,
    write(to) {
      encoding.writeVarUint(to, values.length)
      for (const value of values) encoding.writeVarString(to, JSON.stringify(value))
    },
  }
}

export function binary(bytes: Uint8Array): Content {
  return { ref: refs.binary, length: 1, write: (to) => encoding.writeVarUint8Array(to, bytes) }
}

export function embed(value: unknown): Content {
  return { ref: refs.embed, length: 1, write: (to) => encoding.writeVarString(to, JSON.stringify(value)) }
}

export function subDocument(guid: string): Content {
  return {
    ref: refs.doc,
    length: 1,
    write(to) {
      encoding.writeVarString(to, guid)
      encoding.writeAny(to, {})
    },
  }
}

/** A type of Yjs; `element` and `hook` have a name. */
export function type(kind: keyof typeof typeRefs, name = ''): Content {
  return {
    ref: refs.type,
    length: 1,
    write(to) {
      encoding.writeVarUint(to, typeRefs[kind])
      if (kind === 'element' || kind === 'hook') encoding.writeVarString(to, name)
    },
  }
}

export function element(name: string): Content {
  return type('element', name)
}
