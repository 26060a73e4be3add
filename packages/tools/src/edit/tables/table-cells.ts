import type { Fragment, Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { isVisible } from '../../document/blocks.ts'
import { readInline } from '../content/inline-text.ts'
import { reviseInline } from '../blocks/revise-inline.ts'

/** The content of one cell from inline markdown, which becomes one line. */
export function readCell(text: string): Fragment {
  return readInline(text.replace(/\s*\n\s*/g, ' ').trim()).content
}

/**
 * Sets the text of the cell at `pos`, a position in the current document of `transform`: only the characters that
 * differ change, so that comments and carets elsewhere in the cell are kept.
 */
export function setCell(transform: Transform, pos: number, text: string): void {
  const cell = transform.doc.nodeAt(pos)
  if (!cell) return
  const shown: { node: Node; at: number }[] = []
  cell.forEach((node, offset) => {
    if (isVisible(node)) shown.push({ node, at: pos + 1 + offset })
  })
  const first = shown.find(({ node }) => node.isTextblock)
  for (const { node, at } of shown.toReversed()) if (node !== first?.node) transform.delete(at, at + node.nodeSize)
  const content = readCell(text)
  if (first) {
    const at = first.at - removedBefore(shown, first.at)
    reviseInline(transform, at, first.node, content)
  } else transform.insert(pos + 1, cell.type.schema.node('paragraph', null, content))
}

function removedBefore(shown: readonly { node: Node; at: number }[], pos: number): number {
  return shown.filter(({ at }) => at < pos).reduce((sum, { node }) => sum + node.nodeSize, 0)
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares the texts of cells: as numbers if all of them are numbers, else as words. Empty cells come last. */
export function cellOrder(
  texts: readonly string[],
  order: 'ascending' | 'descending',
): (a: string, b: string) => number {
  const filled = texts.filter((text) => text !== '')
  const areNumbers = filled.every((text) => readNumber(text) !== undefined)
  const direction = order === 'descending' ? -1 : 1
  return (a, b) => {
    if (a === '' || b === '') return Number(a === '') - Number(b === '')
    const difference = areNumbers ? (readNumber(a) ?? 0) - (readNumber(b) ?? 0) : collator.compare(a, b)
    return direction * difference
  }
}

// Accepts a currency, unit or percent sign around the number, and a point or comma as decimal separator.
function readNumber(text: string): number | undefined {
  const match = /^[^\d+\-−]{0,6}([+\-−]?)[^\d+\-−]{0,3}(\d[\d.,'’\s]*)[^\d]{0,12}$/u.exec(text)
  if (!match) return undefined
  const digits = (match[2] ?? '').replace(/['’\s]/g, '').replace(/[.,]+$/, '')
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const sign = digits[last]
  const isThousands = sign !== undefined && isGrouped(digits, sign)
  const plain = isThousands
    ? digits.replace(/[.,]/g, '')
    : `${digits.slice(0, Math.max(0, last)).replace(/[.,]/g, '')}${last < 0 ? digits : `.${digits.slice(last + 1)}`}`
  const number = Number(plain)
  return Number.isFinite(number) ? (match[1] === '' || match[1] === '+' ? number : -number) : undefined
}

// `1,234` and `1.234.567` are grouped; `1.234` without other signs is a decimal.
function isGrouped(digits: string, sign: string): boolean {
  const groups = digits.split(sign)
  const isEven = groups.slice(1).every((group) => /^\d{3}$/.test(group)) && /^\d{1,3}$/.test(groups[0] ?? '')
  return isEven && (sign === ',' || groups.length > 2)
}
