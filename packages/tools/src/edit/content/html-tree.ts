import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment, type TreeAdapter } from 'parse5'

/** A node of an HTML tree: text with its references resolved, or an element with lower-case names. */
export type HtmlNode = string | HtmlElement
export type HtmlElement = { name: string; attributes: Readonly<Record<string, string>>; children: HtmlNode[] }

// The content of these elements is not text of the document.
const skipped = new Set('script style template noscript iframe object svg math title textarea select'.split(' '))
const deepest = 60
const spareElements = 1_000

/**
 * Reads HTML as a tree as browsers do, without a DOM or scripts; omits scripts and styles. Elements beyond a depth of
 * 60 are omitted; their text is kept. Never throws. HTML that describes more elements than it has characters is
 * returned as text: browsers repeat unclosed formats in every paragraph, so the tree could grow with the square of the
 * source.
 */
export function parseHtmlTree(html: string): HtmlNode[] {
  let left = html.length + spareElements
  const refusal = new Error('too many elements')
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(...parameters) {
      if (left-- === 0) throw refusal
      return defaultTreeAdapter.createElement(...parameters)
    },
  }
  try {
    return readNodes(parseFragment(html, { treeAdapter }).childNodes)
  } catch (error) {
    if (error !== refusal) throw error
    return [html]
  }
}

type ParsedNode = DefaultTreeAdapterMap['childNode']

// Not recursive: the parsed tree may be deeper than the call stack allows.
function readNodes(nodes: readonly ParsedNode[]): HtmlNode[] {
  const root: HtmlNode[] = []
  const waiting = nodes.map((node) => ({ node, into: root, depth: 1 })).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, into, depth } = next
    if ('value' in node) into.push(node.value)
    if (!('tagName' in node) || skipped.has(node.tagName)) continue
    const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
    const element: HtmlElement = { name: node.tagName, attributes, children: [] }
    const isKept = depth <= deepest
    if (isKept) into.push(element)
    const place = { into: isKept ? element.children : into, depth: depth + 1 }
    for (const child of node.childNodes.toReversed()) waiting.push({ node: child, ...place })
  }
  return root
}
