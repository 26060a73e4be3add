// A longer text is pasted unchanged: tables are copied from programs with smaller ones.
const mostCharacters = 1_000_000

/**
 * Reads text in which tabs separate cells, as copied by spreadsheets: a cell with a line break, a tab or a quotation
 * mark is in quotation marks. Null for other text: with `least` rows or more all have the same number of cells, at
 * least two, and it isn't code whose lines are indented by tabs.
 */
export function readTabSeparated(text: string, least = 2): string[][] | null {
  if (!text.includes('\t') || text.length > mostCharacters) return null
  const rows = readRows(text.replace(/\r\n?/g, '\n').replace(/\n$/, ''))
  const width = rows[0]?.length ?? 0
  const isEven = width > 1 && rows.every((row) => row.length === width)
  const isIndented = rows.length > 1 && rows.every(([first]) => first === '')
  return isEven && rows.length >= least && !isIndented ? rows : null
}

function readRows(text: string): string[][] {
  const rows: string[][] = [[]]
  let from = 0
  while (from <= text.length) {
    const quoted = text[from] === '"' ? readQuoted(text, from) : undefined
    const end = quoted?.end ?? endOf(text, from)
    rows.at(-1)?.push(quoted?.value ?? text.slice(from, end))
    if (text[end] === '\n') rows.push([])
    from = end + 1
  }
  return rows
}

const separator = /[\t\n]/g

function endOf(text: string, from: number): number {
  separator.lastIndex = from
  return separator.exec(text)?.index ?? text.length
}

// A doubled quotation mark represents one; a closing one without a separator after it means that the cell isn't quoted.
function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  let at = text.indexOf('"', from + 1)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  const next = text[at + 1]
  if (at < 0 || (next !== undefined && next !== '\t' && next !== '\n')) return undefined
  return { value: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 }
}
