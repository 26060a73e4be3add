/** Most containers (quotes, lists) that may open on one line; no text that people write comes near. */
const maximumDepth = 60

/** Most unescaped markers in one paragraph, and the most squared markers of all paragraphs together. */
const maximumMarkers = 4000
const maximumWork = 100_000_000

const containers = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/
const fence = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,}|\${2,})/
const htmlBlock =
  /^ {0,3}<(?:!--|\/?(?:p|div|table|t[rdh]|thead|tbody|ul|ol|li|details|summary|center|h[1-6]|pre|script|style|svg)\b|\/?[a-z][^<>]*>\s*$)/i
const startsBlock = /^[ \t>]*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/
const delimiterRow = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/
const marker = /\\[!-/:-@[-`{-~]|[*_~[\]<$`!]/g

/**
 * Whether reading this markdown could take minutes or exhaust the stack: the parser's time grows with the square of the
 * markers in a paragraph and of the depth of containers, which only a hostile text has many of. It looks at each line
 * once. Texts that pass take at most a few seconds.
 */
export function isTooCostly(markdown: string): boolean {
  let work = 0
  let markers = 0
  let fenceMark = ''
  let isTable = false
  let isHtml = false
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    if (depthOf(line) > maximumDepth) return true
    const mark = fence.exec(line)?.[1]
    const closes = mark !== undefined && fenceMark !== '' && mark.startsWith(fenceMark)
    const isBoundary = fenceMark === '' && (isTable || startsBlock.test(line) || line.trim() === '')
    if (closes || isBoundary || (mark !== undefined && fenceMark === '')) {
      work += closes ? 0 : markers * markers
      markers = 0
    }
    if (line.trim() === '') isTable = isHtml = false
    else if (fenceMark === '' && delimiterRow.test(line) && line.includes('|')) isTable = true
    else if (fenceMark === '' && markers === 0 && htmlBlock.test(line)) isHtml = true
    if (closes) fenceMark = ''
    else if (mark !== undefined && fenceMark === '') fenceMark = mark
    if (!isHtml || line.includes('<!')) markers += countMarkers(line)
    if (fenceMark === '' && markers > maximumMarkers) return true
  }
  // An unclosed fence takes everything to the end as code; a fence in the middle of a paragraph is none.
  return work + markers * markers > maximumWork
}

function depthOf(line: string): number {
  const opened = containers.exec(line)?.[0]
  if (opened === undefined) return 0
  // A list nested in lists has no markers of theirs before it, but two columns of white space for each.
  const indentation = /^[ \t]*/.exec(opened)?.[0].length ?? 0
  return indentation / 4 + (opened.match(/[>\-+*.)]/g)?.length ?? 0)
}

function countMarkers(line: string): number {
  let count = 0
  // An escaped marker costs the parser a token too, but can't be paired.
  for (const [match] of line.matchAll(marker)) count += match.length === 1 ? 1 : 0.2
  return count
}
