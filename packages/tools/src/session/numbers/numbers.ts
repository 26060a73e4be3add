import { localizable } from '../../common/localizable.ts'
import { failure, type ToolFailure } from '../../common/result.ts'
import type { Section } from '../../document/sections.ts'
import type { Block } from '../../document/blocks.ts'
import { indexOfNumber, numberBlock } from './block-numbers.ts'
import { type AuthorOf, type CoordinateTable, findRemembered, rememberBlock, staleFailure } from './coordinates.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { resolveSection, showSections } from './section-numbers.ts'

/** The meaning of the numbers of blocks and sections that the model has been shown. */
export type Numbers = {
  /**
   * The block with a number; `out_of_range` if the number was never shown, `stale` if the block can't be found again.
   */
  resolve(number: number): { ok: true; block: Block } | ToolFailure
  /** The numbers of these blocks; from now on each number refers to the current text of its block. */
  showRead(blocks: readonly Block[]): number[]
  /**
   * Records that a read stopped after this block and can continue with the number `from`; without a block the read was
   * complete.
   */
  stopRead(after?: Block, from?: number): void
  /**
   * The index at which a read that begins with this number starts in the current document; `undefined` if no block has
   * the number.
   */
  readStart(number: number): number | undefined
  /**
   * Records the meaning of the numbers of these sections of the current document; `all` invalidates every other number.
   */
  showSections(sections: readonly Section[], all: boolean): void
  /**
   * The current index in `view` of the section that was shown under this number; `stale` if it can't be found again, or
   * with `asRead` if others have changed it since.
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
    showRead(blocks) {
      const read = readView()
      if (!read.ok) return []
      return blocks.map((block) => {
        const number = numberBlock(block, read.view, table)
        table.set(number, rememberBlock(block))
        return number
      })
    },
    stopRead(after, from) {
      if (after && from !== undefined) table.stopAfter(after, from)
      else table.finish()
    },
    readStart(number) {
      const read = readView()
      if (!read.ok) return undefined
      return table.continuationIndex(number, read.view) ?? indexOfNumber(number, read.view, table)
    },
    showSections(sections, all) {
      const read = readView()
      if (read.ok) showSections(sections, all, read.view, table)
    },
    resolveSection: (index, view, { asRead } = { asRead: false }) =>
      resolveSection(index, view, table, { asRead, own }),
    show(block) {
      const read = readView()
      if (!read.ok) throw new Error(read.message)
      return numberBlock(block, read.view, table)
    },
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
  const isPossible = number < Math.max(table.next, count)
  const shown = table.isEmpty ? 'No block has been shown yet' : `The largest number is [${table.next - 1}]`
  return failure(
    'out_of_range',
    localizable`Block [${number}] ${isPossible ? 'has not been shown yet' : 'does not exist'}.`,
    localizable`${shown}; the document has ${count} ${count === 1 ? 'block' : 'blocks'}. Read the part you need with read_document first.`,
  )
}
