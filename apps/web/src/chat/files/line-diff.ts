import { diffLists } from '@copydesk/agent-panel'

/** A line that both texts have, by its number in each from 1, or one that only the old or the new text has. */
export type DiffLine =
  | { kind: 'same'; text: string; old: number; now: number }
  | { kind: 'old'; text: string; old: number }
  | { kind: 'new'; text: string; now: number }

/** Lines to show, or a number of unchanged lines that are omitted; `from` is the index of the first in all lines. */
export type DiffPart =
  | { kind: 'lines'; from: number; lines: readonly DiffLine[] }
  | { kind: 'fold'; from: number; count: number }

// The maximum number of lines in which two texts may differ; above it, the difference is shown as one. It bounds the
// time.
const mostChanged = 1_500
const context = 3

/** The complete difference of two texts line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const lines: DiffLine[] = []
  let [atOld, atNow] = [1, 1]
  const add = (texts: readonly string[], kind: DiffLine['kind']): void => {
    for (const text of texts) {
      if (kind === 'same') lines.push({ kind, text, old: atOld++, now: atNow++ })
      else if (kind === 'old') lines.push({ kind, text, old: atOld++ })
      else lines.push({ kind, text, now: atNow++ })
    }
  }
  for (const { value, removed, added } of diffLists(old, now, mostChanged)) {
    add(value, removed ? 'old' : added ? 'new' : 'same')
  }
  return lines
}

/** The lines around changes, the others folded; `opened` are the indices of folds that are shown anyway. */
export function foldLines(lines: readonly DiffLine[], opened: ReadonlySet<number>): DiffPart[] {
  const parts: DiffPart[] = []
  let from = 0
  while (from < lines.length) {
    let to = from
    const isSame = lines[from]?.kind === 'same'
    while (to < lines.length && (lines[to]?.kind === 'same') === isSame) to += 1
    const [start, end] = [from === 0 ? 0 : from + context, to === lines.length ? to : to - context]
    if (isSame && end - start > 1 && !opened.has(start)) {
      if (start > from) parts.push({ kind: 'lines', from, lines: lines.slice(from, start) })
      parts.push({ kind: 'fold', from: start, count: end - start })
      if (to > end) parts.push({ kind: 'lines', from: end, lines: lines.slice(end, to) })
    } else {
      parts.push({ kind: 'lines', from, lines: lines.slice(from, to) })
    }
    from = to
  }
  return parts
}

/** Lines as rows of two columns: an added line is next to the removed line that it replaces. */
export function inColumns(lines: readonly DiffLine[]): { old: DiffLine | undefined; now: DiffLine | undefined }[] {
  const rows: { old: DiffLine | undefined; now: DiffLine | undefined }[] = []
  let [gone, come]: [DiffLine[], DiffLine[]] = [[], []]
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) rows.push({ old: gone[at], now: come[at] })
    ;[gone, come] = [[], []]
  }
  for (const line of lines) {
    if (line.kind === 'old') gone.push(line)
    else if (line.kind === 'new') come.push(line)
    else {
      flush()
      rows.push({ old: line, now: line })
    }
  }
  flush()
  return rows
}

/** The numbers of added and removed lines. */
export function countLines(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length
  return { added: count('new'), removed: count('old') }
}

const longest = 2_000

/**
 * A line for display: shortened if it is very long, and with characters that hide text or change its order made
 * visible, so that users never approve hidden text.
 */
export function visibleLine(text: string): string {
  const line = text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
  return line.replaceAll(/[^\P{C}\t]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

// Texts that differ only in the line break after their last line differ in that line.
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  const isWindows = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\r'))
  const plain = isWindows ? lines.map((line) => line.replace(/\r$/, '')) : lines
  return plain.at(-1) === '' ? plain.slice(0, -1) : [...plain.slice(0, -1), `${plain.at(-1) ?? ''}${noEnd}`]
}

/** Marks the end of a last line without a line break. */
export const noEnd = '\uE000'
