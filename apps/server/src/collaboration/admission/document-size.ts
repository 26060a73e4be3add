import { DOCUMENT_LIMITS, STRUCTURE_LIMITS } from '@copydesk/protocol'
import type { YType } from '@copydesk/schema'
import * as Y from 'yjs'

/** The size of a document, or its growth by an update. */
export type Size = { pieces: number; characters: number; blocks: number }

/** Deleting and formatting may exceed a limit by this factor. */
const roomForSmall = 1.1

/**
 * The size of a document and of its lists. Additions are counted; deletions are only taken into account by a new
 * measurement when a limit is reached. `checkUpdate` refuses an update without room as `document_full`.
 */
export class DocumentSize {
  readonly #doc: Y.Doc
  /** Undefined until first needed. */
  #known: Size | undefined
  /** Whether nothing has been deleted since the last measurement. */
  #isExact = false
  readonly #lists = new WeakMap<YType, number>()

  constructor(doc: Y.Doc) {
    this.#doc = doc
  }

  /** Whether the document may grow by this much. `isSmall`: the update only deletes or formats. */
  hasRoom(added: Size, isSmall = false): boolean {
    const factor = isSmall ? roomForSmall : 1
    if (this.#known && (this.#isExact || this.#fits(this.#known, added, factor))) {
      return this.#fits(this.#known, added, factor)
    }
    this.#known = measure(this.#doc)
    this.#isExact = true
    return this.#fits(this.#known, added, factor)
  }

  /**
   * Whether the children of a type, or the items of its text, may grow by this number. `isNew`: the document doesn't
   * have the type yet.
   */
  hasRoomIn(type: YType, added: number, { isNew = false, isSmall = false } = {}): boolean {
    const most = type instanceof Y.XmlText ? STRUCTURE_LIMITS.textItems : STRUCTURE_LIMITS.children
    const limit = isSmall ? most * roomForSmall : most
    if (isNew) return added <= limit
    const known = this.#lists.get(type) ?? this.#measureList(type)
    return known + added <= limit || this.#measureList(type) + added <= limit
  }

  /** Counts growth of the document. `isLess`: the update also deleted something. */
  grow(added: Size, isLess = false): void {
    if (this.#known) {
      this.#known.pieces += added.pieces
      this.#known.characters += added.characters
      this.#known.blocks += added.blocks
    }
    if (isLess) this.#isExact = false
  }

  /** Counts growth of the children of a type, or of the items of its text. */
  growList(type: YType, added: number): void {
    const known = this.#lists.get(type)
    if (known !== undefined) this.#lists.set(type, known + added)
  }

  #fits(known: Size, added: Size, factor: number): boolean {
    const limits = DOCUMENT_LIMITS
    // A document at its limit of characters or blocks still accepts updates without further characters or blocks.
    return (
      known.pieces + added.pieces <= limits.pieces * factor &&
      (added.characters === 0 || known.characters + added.characters <= limits.characters) &&
      (added.blocks === 0 || known.blocks + added.blocks <= limits.blocks)
    )
  }

  #measureList(type: YType): number {
    let length = 0
    for (let item = type._start; item; item = item.right) length += 1
    this.#lists.set(type, length)
    return length
  }
}

function measure({ store }: Y.Doc): Size {
  const size = { pieces: 0, characters: 0, blocks: 0 }
  for (const structs of store.clients.values()) {
    size.pieces += structs.length
    for (const struct of structs) {
      if (!(struct instanceof Y.Item) || struct.deleted) continue
      if (struct.content instanceof Y.ContentString) size.characters += struct.length
      else if (isBlock(struct)) size.blocks += 1
    }
  }
  return size
}

/** Whether an item is an element rather than text or a value. */
export function isBlock({ content }: Y.Item): boolean {
  return content instanceof Y.ContentType && content.type instanceof Y.XmlElement
}
