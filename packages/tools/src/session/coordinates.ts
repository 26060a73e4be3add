import { z } from 'zod'
import { failure, type ToolFailure } from '../result.ts'
import { type Block, blockText } from './blocks.ts'
import { characterIds, countIds, countShared, newWriters } from './character-ids.ts'
import { type DocumentView, typeKey } from './document-view.ts'

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

/** The stored form of a session's numbers, plain JSON. `next` is the number after the last one shown. */
export const StoredCoordinates = z.object({
  version: z.literal(1),
  next: z.number().int(),
  entries: z.array(z.tuple([z.number().int(), CoordinateEntry])),
  continuation: z.object({ from: z.number().int(), after: CoordinateEntry }).optional(),
  /** The data of each section that was shown. */
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
  // While a call is streamed, its view is older than the document: the ids have changed, so the text decides.
  if (blockText(block.node) === entry.text) return true
  const total = countIds(entry.ids)
  if (total === 0 || !block.type) return false
  return countShared(entry.ids, characterIds(block.type)) * 2 >= total
}

/** Returns who wrote the characters of a Yjs client, if the host knows. */
export type AuthorOf = (client: number) => string | undefined

/** The `stale` error for a block that can't be found again, naming who rewrote it if known. */
export function staleFailure(
  number: number,
  entry: CoordinateEntry,
  view: DocumentView,
  authorOf?: AuthorOf,
): ToolFailure {
  const block = entry.key === null ? undefined : view.blockOfType(entry.key)
  const writers = block?.type ? newWriters(entry.ids, characterIds(block.type)) : []
  const names = [...new Set(writers.flatMap((client) => authorOf?.(client) ?? []))]
  const by = names.length > 0 ? ` by ${names.join(' and ')}` : ''
  return failure(
    'stale',
    `Block [${number}] was ${block ? 'rewritten' : 'deleted'}${by} since it was read.`,
    'Read the document again with read_document, then repeat the call with the new number.',
  )
}

/**
 * The numbers of a session and the blocks that they referred to when last shown. A read numbers blocks by their index
 * in the document; a changed block gets the next number after the last one shown.
 */
export class CoordinateTable {
  private entries = new Map<number, CoordinateEntry>()
  // The numbers under which a type was shown, the latest last; some may refer to another block by now.
  private numbers = new Map<string | null, Set<number>>()
  private upTo = 0
  private continuation: StoredCoordinates['continuation']
  private readonly sections = new Map<number, SectionEntry>()
  private readonly forgotten = new Set<number>()

  /** Restores a stored table; an unreadable one counts as empty. */
  static restore(stored: unknown): CoordinateTable {
    const table = new CoordinateTable()
    const parsed = StoredCoordinates.safeParse(stored)
    if (!parsed.success) return table
    for (const [number, entry] of parsed.data.entries) table.set(number, entry)
    table.upTo = Math.max(table.upTo, parsed.data.next)
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
      entries: [...this.entries],
      ...(this.continuation ? { continuation: this.continuation } : {}),
      ...(this.sections.size > 0 ? { sections: [...this.sections] } : {}),
      ...(this.forgotten.size > 0 ? { forgottenSections: [...this.forgotten] } : {}),
    }
  }

  /** The number after the last one shown. */
  get next(): number {
    return this.upTo
  }

  get(number: number): CoordinateEntry | undefined {
    return this.entries.get(number)
  }

  set(number: number, entry: CoordinateEntry): void {
    this.entries.set(number, entry)
    const numbers = this.numbers.get(entry.key) ?? new Set()
    numbers.delete(number)
    this.numbers.set(entry.key, numbers.add(number))
    this.upTo = Math.max(this.upTo, number + 1)
  }

  /** The numbers under which this block was shown and which still resolve to it. */
  numbersOf(block: Block): number[] {
    const key = typeKey(block.type)
    if (key === undefined) return []
    return [...(this.numbers.get(key) ?? [])].filter((number) => this.standsFor(number, key, block))
  }

  /** The number under which this block was last shown, if it is still valid. */
  numberOf(block: Block): number | undefined {
    const key = typeKey(block.type) ?? null
    const number = [...(this.numbers.get(key) ?? [])].at(-1)
    return number !== undefined && this.standsFor(number, key, block) ? number : undefined
  }

  private standsFor(number: number, key: string | null, block: Block): boolean {
    const entry = this.entries.get(number)
    return entry?.key === key && holds(entry, block)
  }

  /** Renumbers blocks by index: drops numbers beyond the end and returns whether any number had another meaning. */
  renumber(blocks: readonly Block[], count: number): boolean {
    let changed = false
    for (const number of this.entries.keys()) {
      if (number < count) continue
      this.entries.delete(number)
      changed = true
    }
    for (const block of blocks) {
      const entry = this.entries.get(block.index)
      if (entry && entry.key !== null && entry.key !== typeKey(block.type)) changed = true
      this.set(block.index, rememberBlock(block))
    }
    this.upTo = Math.max(-1, ...this.entries.keys()) + 1
    return changed
  }

  /**
   * Records where a read stopped, so that the next read neither skips nor repeats blocks that moved in the meantime.
   */
  stopAfter(block: Block | undefined): void {
    this.continuation = block ? { from: block.index + 1, after: rememberBlock(block) } : undefined
  }

  /** The index at which a read from `number` starts. */
  startOf(number: number, view: DocumentView): number {
    if (this.continuation?.from !== number) return number
    const last = findRemembered(this.continuation.after, view)
    return last ? last.index + 1 : number
  }

  /** Records what a section's number refers to from now on. */
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
