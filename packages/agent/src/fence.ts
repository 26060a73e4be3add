import { createHash } from 'node:crypto'

/**
 * Wraps untrusted text, so that a model can distinguish it from its instructions. The delimiter contains a mark that
 * does not occur in the text, so the text can't close its own fence. The same input always gives the same fence, which
 * keeps prompt caches valid.
 */
export function fenceAsData(label: string, text: string): string {
  const mark = unusedMark(text)
  const name = label.replaceAll(/[^\p{L}\p{N} _.,:()-]/gu, ' ').slice(0, 80)
  return `<data-${mark} label="${name}">\n${text}\n</data-${mark}>`
}

/**
 * Removes fences: returns the text between the outermost delimiters with their labels; text outside of any fence has
 * the label `undefined`.
 */
export function readFences(text: string): { label: string | undefined; text: string }[] {
  const parts: { label: string | undefined; text: string }[] = []
  const pattern = /<data-([0-9a-z]+) label="([^"\n]*)">\n([\s\S]*?)\n<\/data-\1>/g
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const between = text.slice(end, match.index)
    if (between.trim()) parts.push({ label: undefined, text: between })
    parts.push({ label: match[2], text: match[3] ?? '' })
    end = match.index + match[0].length
  }
  const rest = text.slice(end)
  if (rest.trim()) parts.push({ label: undefined, text: rest })
  return parts
}

// No secret is needed, because a mark that occurs in the text is never used.
function unusedMark(text: string): string {
  let mark = ''
  do mark = createHash('sha1').update(mark).update(text).digest('hex').slice(0, 8)
  while (text.includes(mark))
  return mark
}
