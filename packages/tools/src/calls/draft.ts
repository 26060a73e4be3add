/**
 * Cuts incomplete text to its displayable part: up to the end of a word, before markup that isn't closed yet, and
 * without a last block that is invalid until it is complete (for example a table before its second line). Empty if no
 * part can be displayed.
 */
export function cutDraft(text: string): string {
  const words = text.slice(0, lastWordEnd(text))
  const start = lastBlockStart(words)
  const block = words.slice(start)
  if (/^\s*\|/.test(block)) return words.slice(0, start) + wholeRows(block)
  if (isUnfinishedBlock(block)) return words.slice(0, start).trimEnd()
  if (isOpenFence(words)) return words
  return words.slice(0, start) + closedPart(block)
}

// The index after the last white space; in scripts without spaces, after the last complete character.
function lastWordEnd(text: string): number {
  const last = text.trimEnd().length < text.length ? text.trimEnd().length : text.search(/\s\S*$/)
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u.test(text)
  if (unspaced) return text.length
  return Math.max(0, last)
}

function lastBlockStart(text: string): number {
  const blank = text.lastIndexOf('\n\n')
  return blank < 0 ? 0 : blank + 2
}

// A table is complete from its second line on; its last line is complete when the next one has begun.
function wholeRows(block: string): string {
  const lines = block.split('\n').slice(0, -1)
  return lines.length >= 2 ? lines.join('\n') : ''
}

const unfinished = [
  /^\s*#{1,6}\s*$/,
  /^\s*[-*+]\s*$/,
  /^\s*\d+[.)]\s*$/,
  /^\s*>\s*$/,
  /^\s*(?:`{3,}|~{3,})[^\n]*$/,
  /^\s*\$\$/,
  /^\s*!\[/,
]

function isUnfinishedBlock(block: string): boolean {
  return unfinished.some((pattern) => pattern.test(block))
}

function isOpenFence(text: string): boolean {
  // Matches within one line: `\s` would scan again from each line break of a long run.
  return (text.match(/^[^\S\n]*(?:`{3,}|~{3,})/gm)?.length ?? 0) % 2 === 1
}

// The text before the first unclosed inline marker in the last line.
function closedPart(block: string): string {
  const start = block.lastIndexOf('\n') + 1
  const line = block.slice(start)
  const cuts = [
    unpaired(line, /\*\*/g),
    unpaired(line, /(?<!\*)\*(?!\*)/g),
    unpaired(line, /`+/g),
    unpaired(line, /~~/g),
    openLink(line),
  ]
  const cut = Math.min(...cuts.map((at) => (at < 0 ? line.length : at)))
  // Dashes below a line would turn it into a heading, although they may still become a list.
  return (block.slice(0, start) + line.slice(0, cut)).replace(/\n[ \t]*[-=]+[ \t]*$/, '').trimEnd()
}

function unpaired(line: string, mark: RegExp): number {
  const places = [...line.matchAll(mark)].map(({ index }) => index)
  return places.length % 2 === 1 ? (places.at(-1) ?? -1) : -1
}

function openLink(line: string): number {
  const open = line.lastIndexOf('[')
  return open >= 0 && !/^\[[^\]]*\](?:\([^)]*\)|[^(])/.test(line.slice(open)) ? open : -1
}
