/** A node of an HTML tree: text with its references resolved, or an element with lower-case names. */
export type HtmlNode = string | HtmlElement
export type HtmlElement = { name: string; attributes: Readonly<Record<string, string>>; children: HtmlNode[] }

const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
// The content of these elements is no text of the document.
const skipped = new Set('script style template noscript iframe object svg math title textarea select'.split(' '))
const blocks = new Set(
  'address article aside blockquote dd details div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
)
// Elements that are implicitly closed by one of these elements, and the ancestor beyond which nothing is closed.
const closedBy: Readonly<Record<string, { by: ReadonlySet<string>; within: ReadonlySet<string> }>> = {
  p: { by: blocks, within: new Set(['td', 'th', 'li', 'blockquote', 'div']) },
  li: { by: new Set(['li']), within: new Set(['ul', 'ol']) },
  dt: { by: new Set(['dt', 'dd']), within: new Set(['dl']) },
  dd: { by: new Set(['dt', 'dd']), within: new Set(['dl']) },
  td: { by: new Set(['td', 'th', 'tr', 'tbody', 'tfoot']), within: new Set(['table']) },
  th: { by: new Set(['td', 'th', 'tr', 'tbody', 'tfoot']), within: new Set(['table']) },
  tr: { by: new Set(['tr', 'tbody', 'tfoot']), within: new Set(['table']) },
  thead: { by: new Set(['tbody', 'tfoot']), within: new Set(['table']) },
  tbody: { by: new Set(['tbody', 'tfoot']), within: new Set(['table']) },
}
const deepest = 60

/**
 * Reads HTML as a tree in one pass, without a DOM and without running anything: implicitly closed elements are closed,
 * unknown closing tags ignored, scripts and styles left out. Elements beyond a depth of 60 are left out; their text
 * stays. Never throws.
 */
export function parseHtmlTree(html: string): HtmlNode[] {
  const root: HtmlElement = { name: '', attributes: {}, children: [] }
  const open = [root]
  let at = 0
  const addText = (text: string): void => {
    if (text !== '') open.at(-1)?.children.push(decode(text))
  }
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next < 0) break
    addText(html.slice(at, next))
    at = readMarkup(html, next, open) ?? next + 1
    if (at === next + 1) addText('<')
  }
  addText(html.slice(at))
  return root.children
}

// Reads the tag or comment at `at` and returns its end; undefined if there is none.
function readMarkup(html: string, at: number, open: HtmlElement[]): number | undefined {
  if (html.startsWith('<!--', at)) return after(html, '-->', at + 4)
  if (html[at + 1] === '!' || html[at + 1] === '?') return after(html, '>', at)
  tag.lastIndex = at
  const [whole, slash, tagName = '', attributes = ''] = tag.exec(html) ?? []
  if (whole === undefined) return undefined
  const name = tagName.toLowerCase()
  const end = at + whole.length
  if (slash === '/') {
    close(name, open)
    return end
  }
  if (skipped.has(name)) return afterElement(html, name, end)
  closeImplied(name, open)
  if (open.length > deepest) return end
  const element: HtmlElement = { name, attributes: readAttributes(attributes), children: [] }
  open.at(-1)?.children.push(element)
  if (!voids.has(name)) open.push(element)
  return end
}

// No attribute may hold a bare `<`, so that each attempt ends where the next begins.
const tag = /<(\/?)([a-z][a-z0-9-]*)((?:"[^"<]*"|'[^'<]*'|[^"'<>])*)>/iy

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function afterElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[^>]*>?`, 'gi')
  closing.lastIndex = from
  return closing.test(html) ? closing.lastIndex : html.length
}

function close(name: string, open: HtmlElement[]): void {
  const index = open.findLastIndex((element) => element.name === name)
  if (index > 0) open.length = index
}

function closeImplied(name: string, open: HtmlElement[]): void {
  for (let index = open.length - 1; index > 0; index--) {
    const rule = closedBy[open[index]?.name ?? '']
    if (rule?.by.has(name)) {
      open.length = index
      continue
    }
    // A closing tag must not close elements outside of the enclosing list, table or cell.
    const isBoundary = Object.values(closedBy).some(
      ({ by, within }) => by.has(name) && within.has(open[index]?.name ?? ''),
    )
    if (isBoundary) return
  }
}

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const match of source.matchAll(/([a-z][a-z0-9:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi)) {
    const name = (match[1] ?? '').toLowerCase()
    if (!Object.hasOwn(attributes, name)) attributes[name] = decode(match[2] ?? match[3] ?? match[4] ?? '')
  }
  return attributes
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  shy: '\u00AD',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  times: '×',
  euro: '€',
  pound: '£',
  sect: '§',
  rarr: '→',
  larr: '←',
}

function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi,
    (whole, hex: string, digits: string, name: string) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
      return code === 0 || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)
        ? '\uFFFD'
        : String.fromCodePoint(code)
    },
  )
}
