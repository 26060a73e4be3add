import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import { Fragment, type Node } from 'prosemirror-model'
import type { Block } from '../session/blocks.ts'
import { failure, type ToolFailure } from '../result.ts'

/** The table that contains a row, with its position and the row's index. */
export type TablePlace = { table: Node; pos: number; row: number }

/** The table around a row block. */
export function tableAround(doc: Node, block: Block): TablePlace | undefined {
  const $pos = doc.resolve(block.pos)
  return $pos.parent.type.name === 'table' ? { table: $pos.parent, pos: $pos.before(), row: $pos.index() } : undefined
}

/**
 * Parses `| a | b |` lines as rows of this table; `undefined` for other markdown. A row with too many cells is refused,
 * a row with too few is padded.
 */
export function readRows(markdown: string, table: Node): Fragment | ToolFailure | undefined {
  const lines = markdown.trim().split('\n')
  if (!lines.every((line) => /^\s*\|.*\|\s*$/.test(line))) return undefined
  const columns = table.firstChild?.childCount ?? 1
  const rows = lines.filter((line) => !/^[\s|:-]+$/.test(line) || !line.includes('-'))
  const tooWide = rows.find((line) => countCells(line) > columns)
  if (tooWide !== undefined) {
    return failure(
      'invalid_input',
      `The table has ${columns} columns, and "${tooWide.trim()}" has ${countCells(tooWide)}.`,
      `content: give each row ${columns} cells, as in | a | b |.`,
    )
  }
  const head = `|${' |'.repeat(columns)}\n|${' - |'.repeat(columns)}\n`
  const parsed = parseMarkdownFragment(head + rows.join('\n')).firstChild
  return parsed?.type.name === 'table' ? Fragment.fromArray(parsed.content.content.slice(1)) : undefined
}

function countCells(line: string): number {
  return line.trim().slice(1, -1).replace(/\\\|/g, '').split('|').length
}
