import { failure, type ToolFailure } from '../result.ts'
import type { Section } from '../sections.ts'
import type { Block } from './blocks.ts'
import { type AuthorOf, type CoordinateTable, findRemembered, rememberBlock, staleFailure } from './coordinates.ts'
import type { DocumentView } from './document-view.ts'
import { resolveSection, showSections } from './section-numbers.ts'

/** The meaning of the numbers of blocks and sections that the model has been shown. */
export type Numbers = {
  /**
   * The block with a number; `out_of_range` if the number was never shown, `stale` if the block can't be found again.
   */
  resolve(number: number): { ok: true; block: Block } | ToolFailure
  /** Numbers these blocks by their index, as a read does, and returns whether numbers changed their meaning. */
  showRead(blocks: readonly Block[], stoppedAfter?: Block): { renumbered: boolean }
  /** The index at which a read from `number` starts in the current document. */
  readStart(number: number): number
  /**
   * Records what the numbers of these sections of the current document refer to; `all` invalidates every other number.
   */
  showSections(sections: readonly Section[], all: boolean): void
  /**
   * The current index in `view` of the section that was shown under this number; `stale` if it can't be found again, or
   * with `asRead` if others have written in it since.
   */
  resolveSection(
    index: number,
    view: DocumentView,
    options?: { asRead: boolean },
  ): { ok: true; index: number } | ToolFailure
  /** The number of a block; assigns one if it has no valid number. */
  show(block: Block): number
}

/** Creates the numbers of one session; `readView` returns the document that it shows. */
export function createNumbers(
  table: CoordinateTable,
  readView: () => { ok: true; view: DocumentView } | ToolFailure,
  authorOf: AuthorOf | undefined,
  own: number,
): Numbers {
  return {
    resolve(number) {
      const read = readView()
      return read.ok ? resolveNumber(number, table, read.view, authorOf) : read
    },
    showRead(blocks, stoppedAfter) {
      const read = readView()
      const renumbered = table.renumber(blocks, read.ok ? read.view.blocks.length : 0)
      table.stopAfter(stoppedAfter)
      return { renumbered }
    },
    readStart(number) {
      const read = readView()
      return read.ok ? table.startOf(number, read.view) : number
    },
    showSections(sections, all) {
      const read = readView()
      if (read.ok) showSections(sections, all, read.view, table)
    },
    resolveSection: (index, view, { asRead } = { asRead: false }) =>
      resolveSection(index, view, table, { asRead, own }),
    show: (block) => showBlock(block, table),
  }
}

function resolveNumber(
  number: number,
  table: CoordinateTable,
  view: DocumentView,
  authorOf?: AuthorOf,
): { ok: true; block: Block } | ToolFailure {
  const entry = table.get(number)
  if (!entry) return notShown(number, table, view)
  const block = findRemembered(entry, view)
  return block ? { ok: true, block } : staleFailure(number, entry, view, authorOf)
}

function notShown(number: number, table: CoordinateTable, view: DocumentView): ToolFailure {
  const count = view.blocks.length
  const place = number < count ? 'has not been shown yet' : 'is beyond the end'
  const shown = table.next === 0 ? 'No block has been shown yet' : `Numbers up to [${table.next - 1}] have been shown`
  return failure(
    'out_of_range',
    `Block [${number}] ${place}.`,
    `${shown}; the document has blocks 0 to ${count - 1}. Read the part you need with read_document first.`,
  )
}

function showBlock(block: Block, table: CoordinateTable): number {
  const known = table.numberOf(block)
  if (known !== undefined) return known
  const number = table.get(block.index) === undefined ? block.index : table.next
  table.set(number, rememberBlock(block))
  return number
}
