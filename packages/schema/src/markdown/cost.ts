/** The maximum number of containers (quotes, lists) that may open on one line; texts of people contain far fewer. */
const maximumDepth = 60

/** The maximum number of unescaped markers in one paragraph, and of the sum of squared markers of all paragraphs. */
const maximumMarkers = 4000
const maximumWork = 100_000_000

/**
 * The characters of a line that loops of the regular expressions below see. V8 stores a few bytes for each repetition
 * and throws a RangeError at 64 MiB.
 */
const maximumHead = 10_000

const containers = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/
const fence = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,}|\${2,})/
const htmlBlock =
  /^ {0,3}<(?:!--|\/?(?:p|div|table|t[rdh]|thead|tbody|ul|ol|li|details|summary|center|h[1-6]|pre|script|style|svg)\b)/i
/** Any other tag alone on its line, which can't interrupt a paragraph. */
const htmlLine = /^ {0,3}<\/?[a-z][^<>]*>[ \t]*$/i
const marker = /\\[!-/:-@[-`{-~]|[*_~[\]<$`!]/g
const punctuation = /(?:[!"'),.:;<>?_~*\]]|&[a-z]{1,31};){20,20000}/gi
const wordStart = /(?<![\w+.-])[\w+.-]/g
const startsBlock = /^[ \t>]*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])/

/** The parsing cost of lines and their parts; one unit is about the cost of one character of prose. */
const shares = { blankLine: 5, codeLine: 10, line: 60, container: 30, cell: 30, marker: 25 }

/** The highest total cost of one text: 10 MiB of prose, or some hundred thousand list items. */
const maximumSize = 15_000_000

/** The estimated cost of parsing a text. It depends on the text alone, so it is the same on every machine. */
export type MarkdownCost = {
  /** Whether the cost exceeds the limit of a document: characters, lines and their parts together. */
  isTooLarge: boolean
  /** Whether the parser could take minutes or overflow the stack, so that the text is read as plain lines instead. */
  isTooCostly: boolean
}

/**
 * Estimates the cost of a markdown text in one pass over its lines. The parser's time grows with the size of the text,
 * and with the square of the markers in a paragraph, the lines of a paragraph in a container, its words after a
 * bracket, the length of a run of punctuation and the depth of containers. Only hostile texts have many of these.
 */
export function costOf(markdown: string): MarkdownCost {
  const counts = new Counts()
  let size = markdown.length
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    size += counts.add(line)
    if (size > maximumSize) return { isTooLarge: true, isTooCostly: true }
  }
  return { isTooLarge: false, isTooCostly: counts.areTooCostly() }
}

/** The counts for the part of the text that has been read. */
class Counts {
  #work = 0
  #tooCostly = false
  /** Markers, lines and words of the current paragraph. */
  #markers = 0
  #lines = 0
  #words = 0
  #isContained = false
  #hasBracket = false
  #fenceMark = ''
  /** The number of cells in each row of the current table, including missing ones; 0 outside of a table. */
  #columns = 0
  #isHtml = false

  /** Counts a line; returns its share of the text's size. */
  add(line: string): number {
    const head = line.slice(0, maximumHead)
    const isBlank = withoutQuotes(line).trim() === ''
    const depth = depthOf(head)
    if (depth > maximumDepth) this.#tooCostly = true
    const mark = fence.exec(head)?.[1]
    const wasCode = this.#fenceMark !== ''
    const closes = mark !== undefined && wasCode && mark.startsWith(this.#fenceMark)
    const isBoundary = !wasCode && (this.#columns > 0 || startsBlock.test(head) || isBlank)
    if (closes || isBoundary || (mark !== undefined && !wasCode)) this.#endParagraph(closes)
    const cells = line.split('|').length - 1
    if (isBlank) {
      this.#columns = 0
      this.#isHtml = false
    } else if (!wasCode && isDelimiterRow(line)) this.#columns = Math.max(this.#columns, cells + 1)
    else if (!wasCode && this.#markers === 0 && this.#beginsHtml(head, line)) this.#isHtml = true
    if (closes) this.#fenceMark = ''
    else if (mark !== undefined && !wasCode) this.#fenceMark = mark
    const markers = countMarkers(line)
    // After an address the parser checks at each of these characters whether only such characters follow.
    for (const [run] of line.matchAll(punctuation)) this.#work += run.length ** 2
    if (!this.#isHtml || line.includes('<!')) this.#markers += markers
    if (!isBlank) this.#lines += 1
    this.#words += line.match(wordStart)?.length ?? 0
    this.#isContained ||= depth >= 1
    this.#hasBracket ||= line.includes('[')
    if (this.#fenceMark === '' && this.#markers > maximumMarkers) this.#tooCostly = true
    if (isBlank) return shares.blankLine
    if (wasCode) return shares.codeLine
    return (
      shares.line + shares.container * depth + shares.cell * Math.max(cells, this.#columns) + shares.marker * markers
    )
  }

  areTooCostly(): boolean {
    // An unclosed fence turns everything to the end into code; a fence in the middle of a paragraph opens none.
    this.#endParagraph(false)
    return this.#tooCostly || this.#work > maximumWork
  }

  #beginsHtml(head: string, line: string): boolean {
    return htmlBlock.test(head) || (this.#lines === 0 && head === line && htmlLine.test(line))
  }

  #endParagraph(isCode: boolean): void {
    if (!isCode) this.#work += this.#markers ** 2
    // For each line that continues a paragraph outside of its containers, the parser scans all lines of the paragraph.
    if (!isCode && this.#isContained) this.#work += 4 * this.#lines ** 2
    // If a bracket is not closed, the parser scans back to it from each word that may begin an address.
    if (!isCode && this.#hasBracket) this.#work += 3 * this.#words ** 2
    this.#markers = this.#lines = this.#words = 0
    this.#isContained = this.#hasBracket = false
  }
}

/** The line from its first character that is neither a blank nor the marker of a quote. */
function withoutQuotes(line: string): string {
  const start = line.search(/[^ \t>]/)
  return start < 0 ? '' : line.slice(start)
}

/** The delimiter row below the header of a table, such as `| --- | :-: |`, inside any containers. */
function isDelimiterRow(line: string): boolean {
  if (!line.includes('|') || !line.includes('-')) return false
  const cells = withoutQuotes(line).split('|')
  return cells.every((cell, index) => {
    const text = cell.trim()
    return isDelimiter(text) || (text === '' && (index === 0 || index === cells.length - 1))
  })
}

/** A cell such as `:--`. */
function isDelimiter(text: string): boolean {
  const dashes = text.replace(/^:/, '').replace(/:$/, '')
  return dashes !== '' && !/[^-]/.test(dashes)
}

function depthOf(head: string): number {
  const opened = containers.exec(head)?.[0]
  if (opened === undefined) return 0
  // A nested list repeats no markers of the outer lists; each level adds two columns of white space instead.
  const indentation = /^[ \t]*/.exec(opened)?.[0].length ?? 0
  return indentation / 4 + (opened.match(/[>\-+*.)]/g)?.length ?? 0)
}

function countMarkers(line: string): number {
  let count = 0
  // An escaped marker also costs the parser a token, but can't be paired.
  for (const [match] of line.matchAll(marker)) count += match.length === 1 ? 1 : 0.2
  return count
}
