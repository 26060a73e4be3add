import { localizable } from '../../common/localizable.ts'
import { z } from 'zod'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import { characterIds, countIds, countShared, newWriters } from './character-ids.ts'
import { type DocumentView, typeKey } from '../../document/document-view.ts'

const CoordinateEntry = z.object({
  key: z.string().nullable(),
  kind: z.enum(['text', 'row', 'leaf']),
  text: z.string(),
  ids: z.array(z.tuple([z.number(), z.number(), z.number()])),
})

/**
 * The stored data of a shown block: the key of its Y type (null for the paragraph of an empty document), its text and
 * the ids of its characters.
 */
export type CoordinateEntry = z.infer<typeof CoordinateEntry>

const SectionEntry = z.object({
  heading: CoordinateEntry.nullable(),
  ids: z.array(z.tuple([z.number(), z.number(), z.number()])),
})

/** The stored data of a shown section: its heading, null without one, and the ids of all its characters. */
export type SectionEntry = z.infer<typeof SectionEntry>

/**
 * The stored form of a session's numbers, plain JSON. `next` is the number after the last assigned one. Numbers below
 * `reserved` belong to blocks that the document had when the first number was assigned.
 */
export const StoredCoordinates = z.object({
  version: z.literal(1),
  next: z.number().int(),
  reserved: z.number().int().optional(),
  entries: z.array(z.tuple([z.number().int(), CoordinateEntry])),
  continuation: z.object({ from: z.number().int(), after: CoordinateEntry }).optional(),
  sections: z.array(z.tuple([z.number().int(), SectionEntry])).optional(),
  /** Numbers that were shown once and are no longer valid. */
  forgottenSections: z.array(z.number().int()).optional(),
})
export type StoredCoordinates = z.infer<typeof StoredCoordinates>

/** Captures the current data of `block`. */
export function rememberBlock(block: Block): CoordinateEntry {
  const ids = block.type ? characterIds(block.type) : []
  return { key: typeKey(block.type) ?? null, kind: block.kind, text: blockText(block.node), ids }
}

/**
 * Finds a stored block: the block whose type is live and holds at least half of the characters; else the only block
 * with exactly that text; else none. An empty block has no characters to identify it, so its type must still be empty:
 * a drag may have moved another block's text into it.
 */
export function findRemembered(entry: CoordinateEntry, view: DocumentView): Block | undefined {
  const block = entry.key === null ? view.blocks[0] : view.blockOfType(entry.key)
  if (block && holds(entry, block)) return block
  if (entry.text === '') return undefined
  const same = view.blocksWithText(entry.text)
  return same.length === 1 ? same[0] : undefined
}

function holds(entry: CoordinateEntry, block: Block): boolean {
  if (entry.kind !== block.kind) return false
  // While a call is streamed, its view is older than the document: the ids have changed, so the text is compared.
  if (blockText(block.node) === entry.text) return true
  const total = countIds(entry.ids)
  if (total === 0 || !block.type) return false
  return countShared(entry.ids, characterIds(block.type)) * 2 >= total
}

/** Returns the author of the characters of a Yjs client, if the host knows. */
export type AuthorOf = (client: number) => string | undefined

const namedWriters = 3

/**
 * The names of the people who write under these Yjs clients, each once and at most three; `undefined` if none is known.
 */
export function nameWriters(clients: readonly number[], authorOf: AuthorOf | undefined): string | undefined {
  const names = new Set(clients.flatMap((client) => authorOf?.(client) ?? []))
  if (names.size === 0) return undefined
  const shown = [...names].slice(0, namedWriters).map((name) => shorten(name, 80))
  return (names.size > namedWriters ? [...shown, 'others'] : shown).join(' and ')
}

/** The `stale` error for a block that can't be found again; names the person who rewrote it, if known. */
export function staleFailure(
  number: number,
  entry: CoordinateEntry,
  view: DocumentView,
  authorOf?: AuthorOf,
): ToolFailure {
  const block = entry.key === null ? undefined : view.blockOfType(entry.key)
  const writers = block?.type ? newWriters(entry.ids, characterIds(block.type)) : []
  const names = nameWriters(writers, authorOf)
  const by = names === undefined ? '' : ` by ${names}`
  return failure(
    'stale',
    localizable`Block [${number}] was ${block ? 'rewritten' : 'deleted'}${by} since it was read.`,
    'Read the document again with read_document, then repeat the call with the new number.',
  )
}

/**
 * Whether a block of `view` is the one that was shown: its type holds enough of the characters, or no block of that
 * type does and this is the only one with exactly that text.
 */
export function isRemembered(entry: CoordinateEntry, block: Block, view: DocumentView): boolean {
  if (entry.key === (typeKey(block.type) ?? null)) return holds(entry, block)
  if (entry.text === '' || entry.kind !== block.kind || entry.text !== blockText(block.node)) return false
  return findRemembered(entry, view)?.pos === block.pos
}

/** The numbers of a session, and the blocks that they referred to when last shown. */
export class CoordinateTable {
  private entries = new Map<number, CoordinateEntry>()
  // The numbers of the blocks that had a type, or a text, when last shown; the latest last.
  private readonly byKey = new Map<string | null, Set<number>>()
  private readonly byText = new Map<string, Set<number>>()
  private upTo = 0
  private initial: number | undefined
  private continuation: StoredCoordinates['continuation']
  private readonly sections = new Map<number, SectionEntry>()
  private readonly forgotten = new Set<number>()

  /** Restores a stored table; unreadable data counts as an empty table. */
  static restore(stored: unknown): CoordinateTable {
    const table = new CoordinateTable()
    const parsed = StoredCoordinates.safeParse(stored)
    if (!parsed.success) return table
    for (const [number, entry] of parsed.data.entries) table.set(number, entry)
    table.upTo = Math.max(table.upTo, parsed.data.next)
    table.initial = parsed.data.reserved
    table.continuation = parsed.data.continuation
    for (const [index, section] of parsed.data.sections ?? []) table.sections.set(index, section)
    for (const index of parsed.data.forgottenSections ?? []) table.forgotten.add(index)
    return table
  }

  /** The table as plain JSON. */
  toJSON(): StoredCoordinates {
    return {
      version: 1,
      next: this.upTo,
      ...(this.initial === undefined ? {} : { reserved: this.initial }),
      entries: [...this.entries],
      ...(this.continuation ? { continuation: this.continuation } : {}),
      ...(this.sections.size > 0 ? { sections: [...this.sections] } : {}),
      ...(this.forgotten.size > 0 ? { forgottenSections: [...this.forgotten] } : {}),
    }
  }

  /**
   * Reserves numbers for the blocks of a document, at the first call only; a later block gets a number above them.
   */
  reserve(count: number): void {
    this.initial ??= Math.max(count, this.upTo)
    this.upTo = Math.max(this.upTo, this.initial)
  }

  /** The number after the last reserved one. */
  get reserved(): number {
    return this.initial ?? 0
  }

  /** The number after the last assigned or reserved one. */
  get next(): number {
    return this.upTo
  }

  /** Whether any block has a number. */
  get isEmpty(): boolean {
    return this.entries.size === 0
  }

  get(number: number): CoordinateEntry | undefined {
    return this.entries.get(number)
  }

  set(number: number, entry: CoordinateEntry): void {
    const before = this.entries.get(number)
    if (before) {
      this.byKey.get(before.key)?.delete(number)
      this.byText.get(before.text)?.delete(number)
    }
    this.entries.set(number, entry)
    this.byKey.set(entry.key, (this.byKey.get(entry.key) ?? new Set()).add(number))
    if (entry.text !== '') this.byText.set(entry.text, (this.byText.get(entry.text) ?? new Set()).add(number))
    this.upTo = Math.max(this.upTo, number + 1)
  }

  /** The keys of the types that numbered blocks had when last shown. */
  keys(): string[] {
    return [...this.byKey.keys()].filter((key) => key !== null)
  }

  /** The numbers of blocks that had this type when last shown, the latest first. */
  numbersOfType(key: string | null): number[] {
    return [...(this.byKey.get(key) ?? [])].toReversed()
  }

  /** The numbers of blocks that had exactly this text when last shown, the latest first. */
  numbersOfText(text: string): number[] {
    return [...(this.byText.get(text) ?? [])].toReversed()
  }

  /**
   * Records where a read stopped and the number that it returned for continuing, so that the next read neither skips
   * nor repeats blocks that have moved meanwhile.
   */
  stopAfter(block: Block, from: number): void {
    this.continuation = { from, after: rememberBlock(block) }
  }

  /** Discards the record of where a read stopped. */
  finish(): void {
    this.continuation = undefined
  }

  /** The index at which a read continues that begins with the number that the last read returned for it. */
  continuationIndex(number: number, view: DocumentView): number | undefined {
    if (this.continuation?.from !== number) return undefined
    const last = findRemembered(this.continuation.after, view)
    return last && last.index + 1
  }

  /** Records the meaning of a section's number from now on. */
  setSection(index: number, section: SectionEntry): void {
    this.sections.set(index, section)
    this.forgotten.delete(index)
  }

  /** Invalidates the numbers of all sections: those that were shown are stale until they are shown again. */
  clearSections(): void {
    for (const index of this.sections.keys()) this.forgotten.add(index)
    this.sections.clear()
  }

  /**
   * The section shown under a number; `forgotten` if the number is no longer valid, `undefined` if it was never shown.
   */
  section(index: number): SectionEntry | 'forgotten' | undefined {
    return this.forgotten.has(index) ? 'forgotten' : this.sections.get(index)
  }
}
