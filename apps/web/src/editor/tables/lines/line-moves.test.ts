import { parseMarkdown } from '@copydesk/schema/markdown'
import { Fragment, type Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { type Lines, planMove, planNearest, planOppositeMove, planStep, relocationsOf } from './line-moves.ts'

// A table whose cells are named by column and row: `a1` is in column a and row 1.
function tableOf(markdown: string, spans: Record<string, [colspan: number, rowspan: number]> = {}): Node {
  const parsed = parseMarkdown(markdown).doc.firstChild!
  const rows = parsed.children.map((row) =>
    row.copy(
      Fragment.from(
        row.children
          .filter(({ textContent }) => textContent !== '')
          .map((cell) => {
            const [colspan, rowspan] = spans[cell.textContent] ?? [1, 1]
            return cell.type.create({ ...cell.attrs, colspan, rowspan }, cell.content)
          }),
      ),
    ),
  )
  return parsed.copy(Fragment.from(rows))
}

const plain = tableOf('| a0 | b0 | c0 |\n| - | - | - |\n| a1 | b1 | c1 |\n| a2 | b2 | c2 |')
const row = (from: number, to = from + 1): Lines => ({ axis: 'row', from, to })
const column = (from: number, to = from + 1): Lines => ({ axis: 'column', from, to })

// The texts of the cells after a move, rows separated by `/`: copies are inserted first, then the old ones are deleted.
function moved(table: Node, move: ReturnType<typeof planMove>): string {
  if (!move) return 'no'
  const parts = relocationsOf(table, move)
  const pieces: { at: number; text: string }[] = []
  const text = (from: number, to: number) => {
    let words = ''
    table.nodesBetween(from, to, (node, position) => {
      if (node.type.name === 'tableRow' && position >= from) words += '/'
      if (node.isText) words += `${node.text} `
    })
    return words
  }
  const bounds = new Set([0, table.content.size, ...parts.flatMap(({ from, to, target }) => [from, to, target])])
  const sorted = [...bounds].toSorted((a, b) => a - b)
  for (const [index, from] of sorted.slice(0, -1).entries()) {
    const part = parts.find((each) => each.from === from)
    pieces.push({ at: part ? part.target - 0.5 : from, text: text(from, sorted[index + 1] ?? from) })
  }
  return pieces
    .toSorted((a, b) => a.at - b.at)
    .map((piece) => piece.text)
    .join('')
    .trim()
}

describe('moves of rows and columns', () => {
  test('[TABLE-5] rows and columns go to another place, alone or several', () => {
    expect(moved(plain, planMove(plain, row(1), 3))).toBe('/a0 b0 c0 /a2 b2 c2 /a1 b1 c1')
    expect(moved(plain, planMove(plain, column(0), 3))).toBe('/b0 c0 a0 /b1 c1 a1 /b2 c2 a2')
    expect(moved(plain, planMove(plain, column(1, 3), 0))).toBe('/b0 c0 a0 /b1 c1 a1 /b2 c2 a2')
    expect(planMove(plain, column(1), 1)).toBeNull()
    expect(planMove(plain, column(1), 2)).toBeNull()
    expect(planStep(plain, column(2), 1)).toBeNull()
    expect(moved(plain, planStep(plain, row(2), -1))).toBe('/a0 b0 c0 /a2 b2 c2 /a1 b1 c1')
  })

  test('the lines that are passed can go the other way with the same result', () => {
    for (const move of [planMove(plain, column(0), 3), planMove(plain, column(2), 1), planMove(plain, row(2), 1)]) {
      expect(moved(plain, planOppositeMove(move!))).toBe(moved(plain, move))
    }
  })

  test('[TABLE-6] headings stay first', () => {
    expect(planMove(plain, row(0), 2)).toBeNull()
    expect(planMove(plain, row(2), 0)).toBeNull()
    expect(planStep(plain, row(1), -1)).toBeNull()
    expect(planNearest(plain, row(2), (gap) => gap)?.gap).toBe(1)
  })

  test('[TABLE-6] what shares merged cells moves together, and nothing goes inside', () => {
    const source = '| a0 | b0 | c0 | d0 |\n| - | - | - | - |\n| a1 | c1 | d1 | |\n| a2 | b2 | c2 | d2 |'
    const wide = tableOf(source, { a1: [2, 1] })
    expect(moved(wide, planMove(wide, column(1), 4))).toBe('/c0 d0 a0 b0 /c1 d1 a1 /c2 d2 a2 b2')
    expect(planMove(wide, column(3), 1)).toBeNull()
    expect(moved(wide, planStep(wide, column(2), -1))).toBe('/c0 a0 b0 d0 /c1 a1 d1 /c2 a2 b2 d2')
    const tall = tableOf('| a0 | b0 |\n| - | - |\n| a1 | b1 |\n| b2 | |\n| a3 | b3 |', { a1: [1, 2] })
    expect(moved(tall, planStep(tall, row(3), -1))).toBe('/a0 b0 /a3 b3 /a1 b1 /b2')
    expect(moved(tall, planMove(tall, row(2), 4))).toBe('/a0 b0 /a3 b3 /a1 b1 /b2')
    expect(moved(tall, planMove(tall, column(0), 2))).toBe('/b0 a0 /b1 a1 /b2 /b3 a3')
  })
})
