import { expect, test } from 'vitest'
import { countLines, diffLines, foldLines, inColumns, visibleLine } from './line-diff.ts'

const numbered = (count: number, change: Record<number, string> = {}): string =>
  Array.from({ length: count }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('')

const shown = (before: string, after: string, opened = new Set<number>()): string[] =>
  foldLines(diffLines(before, after), opened).map((part) =>
    part.kind === 'fold' ? `${part.count} folded` : part.lines.map(({ kind, text }) => `${kind} ${text}`).join(', '),
  )

test('[PROJ-22] what does not change is folded, but for three lines around what does', () => {
  const [before, after] = [numbered(20), numbered(20, { 10: 'changed' })]
  expect(shown(before, after)).toEqual([
    '6 folded',
    'same line 7, same line 8, same line 9',
    'old line 10, new changed',
    'same line 11, same line 12, same line 13',
    '7 folded',
  ])
  expect(shown(before, after, new Set([0]))[0]).toMatch(/^same line 1, .*same line 9$/)
  expect(countLines(diffLines(before, after))).toEqual({ added: 1, removed: 1 })
  expect(diffLines(before, after).at(-1)).toEqual({ kind: 'same', text: 'line 20', old: 20, now: 20 })
})

test('[PROJ-22] in two columns a line stands beside the one that it replaces', () => {
  const rows = inColumns(diffLines('a\nb\nc\n', 'a\nB\nC\nD\n')).map(({ old, now }) => `${old?.text}|${now?.text}`)
  expect(rows).toEqual(['a|a', 'b|B', 'c|C', 'undefined|D'])
})

test('[PROJ-22] new and empty texts, missing line ends, and large rewrites in bounded time', () => {
  expect(countLines(diffLines('', 'a\nb\n'))).toEqual({ added: 2, removed: 0 })
  expect(diffLines('', '')).toEqual([])
  expect(countLines(diffLines('a\n', 'a'))).toEqual({ added: 1, removed: 1 })
  expect(countLines(diffLines('a\r\nb\r\n', 'a\r\nc\r\n'))).toEqual({ added: 1, removed: 1 })
  const lines = (word: string): string => `${word} x\n${'y\n'}`.repeat(20_000)
  expect(countLines(diffLines(lines('a'), lines('b'))).added).toBeGreaterThanOrEqual(20_000)
})

test('[PROJ-22] characters that hide text or turn its order are written out', () => {
  expect(visibleLine('if (a\u202E\u2066) {\u200B')).toBe('if (a\\u{202e}\\u{2066}) {\\u{200b}')
  expect(visibleLine('\tok é 漢')).toBe('\tok é 漢')
  expect(visibleLine('x'.repeat(9_000)).length).toBeLessThan(2_100)
})
