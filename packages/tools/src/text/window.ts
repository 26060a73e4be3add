/** A range of a text, in UTF-16 units. */
type Range = { from: number; to: number }

/** The beginning of a text, at most `length` characters with an ellipsis at a cut; line breaks and spaces are kept. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${wholePairs(text.slice(0, Math.max(1, length - 1)))}…`
}

/** `text` without half a surrogate pair at its end. */
export function wholePairs(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

/**
 * The parts of a text around some places in it, with up to `around` characters on either side, joined where they meet:
 * cut between words, with an ellipsis for omitted text.
 */
export function windowsAround(text: string, places: readonly Range[], around: number): string {
  const parts: Range[] = []
  for (const { from, to } of places) {
    const part = {
      from: wordStart(text, Math.max(0, from - around)),
      to: wordEnd(text, Math.min(text.length, to + around)),
    }
    const last = parts.at(-1)
    if (last && part.from <= last.to) last.to = Math.max(last.to, part.to)
    else parts.push(part)
  }
  const cut = parts.map(({ from, to }) => text.slice(from, to).trim())
  const [first, last] = [parts[0], parts.at(-1)]
  return `${first && first.from > 0 ? '…' : ''}${cut.join(' … ')}${last && last.to < text.length ? '…' : ''}`.toWellFormed()
}

const longestWord = 40

function wordStart(text: string, at: number): number {
  const space = /\s/.exec(text.slice(at, at + longestWord))
  return at === 0 || /\s/.test(text[at - 1] ?? '') || !space ? at : at + space.index + 1
}

function wordEnd(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - longestWord), at)
  const space = /\s\S*$/.exec(before)
  return at === text.length || /\s/.test(text[at] ?? '') || !space ? at : at - before.length + space.index
}
