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
 * What is remembered of a block that was shown: the key of its Y type (null for the paragraph of an empty document), its
 * text and the ids of its characters.
 */
export type CoordinateEntry = z.infer<typeof CoordinateEntry>

const SectionEntry = z.object({
  heading: CoordinateEntry.nullable(),
  ids: z.array(z.tuple([z.number(), z.number(), z.number()])),
})

/** What is remembered of a section that was shown: its heading, null without one, and the ids of all its characters. */
export type SectionEntry = z.infer<typeof SectionEntry>

/** The stored form of a session's numbers, plain JSON. `next` is the number after the last one shown. */
export const StoredCoordinates = z.object({
  version: z.literal(1),
  next: z.number().int(),
  entries: z.array(z.tuple([z.number().int(), CoordinateEntry])),
  continuation: z.object({ from: z.number().int(), after: CoordinateEntry }).optional(),
  /** What each section that was shown was. */
  sections: z.array(z.tuple([z.number().int(), SectionEntry])).optional(),
  /** Numbers that were shown once and mean nothing any more. */
  forgottenSections: z.array(z.number().int()).optional(),
})
export type StoredCoordinates = z.infer<typeof StoredCoordinates>

/** Remembers `block` as it is now. */
export function rememberBlock(block: Block): CoordinateEntry {
  const ids = block.type ? characterIds(block.type) : []
  return { key: typeKey(block.type) ?? null, kind: block.kind, text: blockText(block.node), ids }
}

/**
 * Finds the block that was remembered: the one whose type lives and holds at least half of the characters; else the one
 * block with exactly that text; else none. An empty block has no characters to know it by, so its type must still be
 * empty: a drag may have moved another block's text into it.
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
  // While a call is being written its view is of a moment before: the ids have gone on, the text tells.
  if (blockText(block.node) === entry.text) return true
  const total = countIds(entry.ids)
  if (total === 0 || !block.type) return false
  return countShared(entry.ids, characterIds(block.type)) * 2 >= total
}

/** Who wrote a Yjs client's characters, if the host knows. */
export type AuthorOf = (client: number) => string | undefined

/** The `stale` error for a block that can't be found again, naming who rewrote it where that is known. */
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
 * The numbers of a session and what they meant when they were last shown. Reading gives blocks the number of their
 * place in the document; a changed block gets the next number after the last one shown.
 */
export class CoordinateTable {
  private entries = new Map<number, CoordinateEntry>()
  // The numbers that a type was shown under, the last one last; some may mean another by now.
  private numbers = new Map<string | null, Set<number>>()
  private upTo = 0
  private continuation: StoredCoordinates['continuation']
  private readonly sections = new Map<number, SectionEntry>()
  private readonly forgotten = new Set<number>()

  /** Restores a stored table; one that can't be read counts as empty. */
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

  /** Everything as plain JSON. */
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

  /** The numbers under which this block was shown and still resolves to it. */
  numbersOf(block: Block): number[] {
    const key = typeKey(block.type)
    if (key === undefined) return []
    return [...(this.numbers.get(key) ?? [])].filter((number) => this.standsFor(number, key, block))
  }

  /** The number under which this block was last shown, if it still stands for it. */
  numberOf(block: Block): number | undefined {
    const key = typeKey(block.type) ?? null
    const number = [...(this.numbers.get(key) ?? [])].at(-1)
    return number !== undefined && this.standsFor(number, key, block) ? number : undefined
  }

  private standsFor(number: number, key: string | null, block: Block): boolean {
    const entry = this.entries.get(number)
    return entry?.key === key && holds(entry, block)
  }

  /** Gives numbers anew by place: forgets those beyond the end and says whether any had another meaning. */
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

  /** Remembers where a read stopped, so that going on neither skips nor repeats what moved meanwhile. */
  stopAfter(block: Block | undefined): void {
    this.continuation = block ? { from: block.index + 1, after: rememberBlock(block) } : undefined
  }

  /** Where in the document a read from `number` starts. */
  startOf(number: number, view: DocumentView): number {
    if (this.continuation?.from !== number) return number
    const last = findRemembered(this.continuation.after, view)
    return last ? last.index + 1 : number
  }

  /** Remembers what a section's number means from now on. */
  setSection(index: number, section: SectionEntry): void {
    this.sections.set(index, section)
    this.forgotten.delete(index)
  }

  /** Forgets what the numbers of sections mean: those that were shown are stale until they are shown again. */
  clearSections(): void {
    for (const index of this.sections.keys()) this.forgotten.add(index)
    this.sections.clear()
  }

  /** What was shown under a section's number; `forgotten` if that means nothing any more, `undefined` if nothing was. */
  section(index: number): SectionEntry | 'forgotten' | undefined {
    return this.forgotten.has(index) ? 'forgotten' : this.sections.get(index)
  }
}
