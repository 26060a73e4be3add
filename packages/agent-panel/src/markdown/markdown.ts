import { type Inline, parseInline } from './inline-markdown.ts'

/** A block of an answer. */
export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { type: 'rule' }

const fence = /^ {0,3}(`{3,}|~{3,}(?!~))([^`]*)$/
const heading = /^ {0,3}(#{1,6})\s+(.*)$/
const rule = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const listItem = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+)(.*)$/
const deepest = 8

/**
 * Reads the part of Markdown that models use in answers: paragraphs, headings, lists, quotes, code, bold, italic,
 * strike and links. Other notation, including HTML, is literal text, so the result is safe to show. Never fails:
 * incomplete text that is still being streamed can be parsed too.
 */
export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0)
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    const [block, next] = parseBlock(lines, at, line, depth)
    blocks.push(block)
    at = next
  }
  return blocks
}

function parseBlock(lines: readonly string[], at: number, line: string, depth: number): [Block, number] {
  const opening = fence.exec(line)
  if (opening) return parseFence(lines, at, opening[1] ?? '```', /^\s*([\w+#.-]*)/.exec(opening[2] ?? '')?.[1] ?? '')
  const title = heading.exec(line)
  if (title) {
    return [
      { type: 'heading', level: title[1]?.length ?? 1, children: parseInline(headingText(title[2] ?? '')) },
      at + 1,
    ]
  }
  if (rule.test(line)) return [{ type: 'rule' }, at + 1]
  if (/^ {0,3}>/.test(line) && depth < deepest) return parseQuote(lines, at, depth)
  if (listItem.test(line) && depth < deepest) return parseList(lines, at, depth)
  return parseParagraph(lines, at)
}

// Without a regular expression, which would backtrack over every split of a long run of spaces.
function headingText(line: string): string {
  return line
    .trimEnd()
    .replace(/(?<!#)#+$/, '')
    .trimEnd()
}

function parseFence(lines: readonly string[], at: number, mark: string, language: string): [Block, number] {
  let end = at + 1
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(mark)) end += 1
  return [{ type: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end + 1]
}

function parseQuote(lines: readonly string[], at: number, depth: number): [Block, number] {
  let end = at
  while (end < lines.length && /^ {0,3}>/.test(lines[end] ?? '')) end += 1
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ''))
  return [{ type: 'quote', children: parseBlocks(inner, depth + 1) }, end]
}

function parseList(lines: readonly string[], at: number, depth: number): [Block, number] {
  const first = listItem.exec(lines[at] ?? '')?.[2] ?? '-'
  const ordered = /\d/.test(first)
  const items: Block[][] = []
  let end = at
  while (end < lines.length) {
    const marker = listItem.exec(lines[end] ?? '')
    if (!marker || /\d/.test(marker[2] ?? '') !== ordered || rule.test(lines[end] ?? '')) break
    const [item, next] = takeItem(lines, end, marker)
    items.push(parseBlocks(item, depth + 1))
    end = next
  }
  return [{ type: 'list', ordered, start: ordered ? Number.parseInt(first, 10) : 1, items }, end]
}

function takeItem(lines: readonly string[], at: number, marker: RegExpExecArray): [string[], number] {
  const indent = (marker[1]?.length ?? 0) + (marker[2]?.length ?? 1) + Math.min(marker[3]?.length ?? 1, 4)
  const item = [marker[4] ?? '']
  let next = at + 1
  while (next < lines.length) {
    const line = lines[next] ?? ''
    const indented = /^\s*/.exec(line)?.[0].length ?? 0
    const following = lines[next + 1] ?? ''
    const goesOn = line.trim() === '' ? /^\s{2,}\S/.test(following) || listItem.test(following) : indented >= 2
    const lazy = line.trim() !== '' && indented < 2 && !startsBlock(line) && (lines[next - 1] ?? '').trim() !== ''
    if (!goesOn && !lazy) break
    item.push(line.slice(Math.min(indented, indent)))
    next += 1
  }
  return [item, next]
}

function parseParagraph(lines: readonly string[], at: number): [Block, number] {
  let end = at + 1
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !startsBlock(lines[end] ?? '')) end += 1
  const text = lines
    .slice(at, end)
    .map((line) => line.trimStart())
    .join('\n')
  return [{ type: 'paragraph', children: parseInline(text.trimEnd()) }, end]
}

function startsBlock(line: string): boolean {
  return fence.test(line) || heading.test(line) || rule.test(line) || /^ {0,3}>/.test(line) || listItem.test(line)
}
