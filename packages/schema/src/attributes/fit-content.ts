import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { fitAttributes } from './fit.ts'
import { cutText } from './rules.ts'
import { attributeTable, blockLimits } from './table.ts'

/** Content within `attributeTable` and `blockLimits`; `isChanged`: whether it differs from the given content. */
export type Fitted = { content: Fragment; isChanged: boolean }

/**
 * Changes content from outside (markdown, HTML, a clipboard) so that it fits the limits of a document, without losing
 * words: numbers are clamped to their range; descriptions and titles are cut; a link with too long an address becomes
 * its text, such an image its description; a formula that is too long becomes its source as code or text; a table that
 * is too wide becomes a paragraph for each row; text that is too long for one block continues in further blocks.
 * Returns the same `Fragment` if it already fits.
 */
export function fitContent(content: Fragment): Fitted {
  const fitted = fitChildren(content)
  return { content: fitted, isChanged: fitted !== content }
}

function fitChildren(content: Fragment): Fragment {
  let isSame = true
  const nodes: Node[] = []
  content.forEach((child) => {
    const fitted = fitNode(child)
    isSame &&= fitted.length === 1 && fitted[0] === child
    nodes.push(...fitted)
  })
  return isSame ? content : Fragment.fromArray(nodes)
}

function fitNode(node: Node): Node[] {
  if (node.isText) return [fitMarks(node)]
  const replaced = replaceNode(node)
  if (replaced) return replaced.flatMap(fitNode)
  const attributes = fitOrDefault(node.type.name, node.attrs)
  const content = fitChildren(node.type.name === 'table' ? fitSpans(node) : node.content)
  const marked = node.isInline ? fitMarks(node) : node
  const isSame = attributes === node.attrs && content === node.content && marked === node
  const fitted = isSame ? node : node.type.create(attributes, content, marked.marks)
  return fitted.isTextblock ? splitText(fitted) : [fitted]
}

// An unusable value is replaced by the schema's default.
function fitOrDefault(name: string, attributes: Node['attrs']): Node['attrs'] {
  try {
    return fitAttributes(name, attributes, { cuts: true })
  } catch {
    const rules = attributeTable[name] ?? {}
    return Object.fromEntries(Object.entries(attributes).filter(([key, value]) => rules[key]?.allows(value)))
  }
}

function fitMarks(node: Node): Node {
  const marks = node.marks.flatMap((mark): Mark[] => {
    if (isTooLong(mark.attrs.href)) return []
    const attributes = fitOrDefault(mark.type.name, mark.attrs)
    return [attributes === mark.attrs ? mark : mark.type.create(attributes)]
  })
  return marks.every((mark, index) => mark === node.marks[index]) && marks.length === node.marks.length
    ? node
    : node.mark(marks)
}

/** The replacement for a node that no attribute change can bring within the limits; `undefined` for all others. */
function replaceNode(node: Node): Node[] | undefined {
  const { schema } = node.type
  const latex: unknown = node.attrs.latex
  switch (node.type.name) {
    case 'inlineMath':
      return isLong(latex, blockLimits.latex) ? [schema.text(`$${latex}$`, node.marks)] : undefined
    case 'blockMath':
      return isLong(latex, blockLimits.latex)
        ? [schema.node('codeBlock', { language: 'latex' }, schema.text(latex))]
        : undefined
    case 'image':
      return isTooLong(node.attrs.src) ? describeImage(node) : undefined
    case 'table':
      return isTooWide(node) ? node.children.map((row) => paragraphOf(row)) : undefined
    default:
      return undefined
  }
}

function describeImage({ type: { schema }, attrs }: Node): Node[] {
  const words: unknown = attrs.alt || attrs.title
  return [schema.node('paragraph', null, typeof words === 'string' && words !== '' ? schema.text(words) : [])]
}

function isTooWide(table: Node): boolean {
  return table.children.some((row) => row.childCount > blockLimits.columns || widthOf(row) > blockLimits.columns)
}

function widthOf(row: Node): number {
  return row.children.reduce((width, { attrs }) => width + (isInvalidSpan(attrs.colspan) ? 1 : attrs.colspan), 0)
}

function isInvalidSpan(span: unknown): boolean {
  return typeof span !== 'number' || !(span >= 1 && span <= blockLimits.columns)
}

// Web pages use a span of a thousand columns for all existing columns.
function fitSpans(table: Node): Fragment {
  const width = table.children.reduce((most, row) => Math.max(most, widthOf(row)), 1)
  let isSame = true
  const rows = table.children.map((row, index) => {
    const cells = row.children.map((cell) => {
      const colspan: unknown = isInvalidSpan(cell.attrs.colspan) ? width - widthOf(row) + 1 : cell.attrs.colspan
      const rowspan: unknown = Math.min(Number(cell.attrs.rowspan) || 1, table.childCount - index)
      if (colspan === cell.attrs.colspan && rowspan === cell.attrs.rowspan) return cell
      isSame = false
      return cell.type.create({ ...cell.attrs, colspan, rowspan, colwidth: null }, cell.content, cell.marks)
    })
    return isSame ? row : row.copy(Fragment.fromArray(cells))
  })
  return isSame ? table.content : Fragment.fromArray(rows)
}

function paragraphOf(row: Node): Node {
  const { schema } = row.type
  const line: Node[] = []
  row.forEach((cell, _offset, index) => {
    if (index > 0) line.push(schema.text(' | '))
    cell.descendants((node) => {
      if (node.isInline) line.push(node)
      return !node.isInline
    })
  })
  return schema.node('paragraph', null, Fragment.fromArray(line))
}

function splitText(block: Node): Node[] {
  const blocks: Node[] = []
  let rest = block
  while (rest.content.size > blockLimits.textBlock) {
    const end = endOfPart(rest)
    blocks.push(rest.copy(rest.content.cut(0, end)))
    rest = rest.copy(rest.content.cut(end))
  }
  return [...blocks, rest]
}

// Cuts after a line or word that ends near the limit, and never inside a character. A part has at most half of the
// limit, because the first and last part may be joined with the text before and after.
function endOfPart(block: Node): number {
  const most = blockLimits.textBlock / 2
  const text = block.textBetween(0, most, undefined, ' ')
  for (const space of ['\n', ' ']) {
    const at = text.lastIndexOf(space)
    if (at > most - 2000) return at + 1
  }
  return cutText(text, most - 1).length
}

function isTooLong(address: unknown): boolean {
  return isLong(address, blockLimits.address)
}

function isLong(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length > most
}
