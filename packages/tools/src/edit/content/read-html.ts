import { captionLink, fitContent, isSafeUrl, schema } from '@copydesk/schema'
import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { type HtmlElement, type HtmlNode, parseHtmlTree } from './html-tree.ts'

/**
 * Reads HTML as block content: headings, paragraphs, lists, tasks, quotes, code, tables, images, rules, formulas, and
 * text formats. Of other elements only the content is kept; scripts, styles, comments and unsafe addresses are omitted.
 * Never throws, and the result fits the schema and its limits (`fitContent`).
 */
export function readHtml(html: string): Fragment {
  return fitContent(Fragment.fromArray(readBlocks(parseHtmlTree(html), []))).content
}

// Text between blocks becomes separate paragraphs.
function readBlocks(children: readonly HtmlNode[], marks: readonly Mark[]): Node[] {
  const blocks: Node[] = []
  let line: Node[] = []
  const flush = (): void => {
    blocks.push(...textBlocks('paragraph', null, line))
    line = []
  }
  for (const child of children) {
    if (typeof child === 'string' || !isBlock(child)) line.push(...readInline(child, marks))
    else {
      flush()
      blocks.push(...readBlock(child, marks))
    }
  }
  flush()
  return blocks
}

const inlineNames = new Set(
  'a abbr b bdi bdo br cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time u var wbr input tt'.split(
    ' ',
  ),
)

function isBlock(element: HtmlElement): boolean {
  if (!inlineNames.has(element.name)) return true
  return element.children.some((child) => typeof child !== 'string' && isBlock(child))
}

function readBlock(element: HtmlElement, marks: readonly Mark[]): Node[] {
  const { name, attributes, children } = element
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level !== undefined) return textBlocks('heading', { level: Number(level) }, inlineOf(children, marks))
  switch (name) {
    case 'p':
      return textBlocks('paragraph', null, inlineOf(children, marks))
    case 'ul':
    case 'ol':
      return readList(element)
    case 'blockquote':
      return [schema.node('blockquote', null, orParagraph(readBlocks(children, marks)))]
    case 'pre':
      return [readCode(element)]
    case 'hr':
      return [schema.node('horizontalRule')]
    case 'table':
      return readTable(element)
    case 'figure':
      return readFigure(element, marks)
    default:
      if (attributes['data-type'] === 'block-math') return readMath('blockMath', element)
      return readBlocks(children, withMark(marks, element))
  }
}

function orParagraph(blocks: Node[]): Node[] {
  return blocks.length > 0 ? blocks : [schema.node('paragraph')]
}

// Images are blocks in the schema, so each image ends its line.
function textBlocks(type: 'paragraph' | 'heading', attributes: Record<string, unknown> | null, line: Node[]): Node[] {
  const blocks: Node[] = []
  let run: Node[] = []
  const flush = (): void => {
    const content = trimmed(run)
    if (content.length > 0) blocks.push(schema.node(type, attributes, content))
    run = []
  }
  for (const node of line) {
    if (node.isInline) run.push(node)
    else {
      flush()
      blocks.push(node)
    }
  }
  flush()
  return blocks
}

// White space at the ends of a line, next to a line break, and after other white space is not rendered.
function trimmed(line: readonly Node[]): Node[] {
  const nodes: Node[] = []
  let isOpen = true
  for (const node of line) {
    const text: string | undefined = node.isText ? collapse(node.text ?? '', isOpen) : undefined
    if (text === '') continue
    nodes.push(text === undefined ? node : schema.text(text, node.marks))
    isOpen = text === undefined ? node.type.name === 'hardBreak' : text.endsWith(' ')
  }
  while (endsOpen(nodes.at(-1))) {
    const last = nodes.pop()
    const text = last?.text?.replace(/ +$/, '') ?? ''
    if (last && text !== '') nodes.push(schema.text(text, last.marks))
  }
  return nodes
}

function endsOpen(node: Node | undefined): boolean {
  return node?.type.name === 'hardBreak' || node?.text?.endsWith(' ') === true
}

function collapse(text: string, isOpen: boolean): string {
  const single = text.replace(/[ \t\r\n\f]+/g, ' ')
  return isOpen ? single.replace(/^ /, '') : single
}

function inlineOf(children: readonly HtmlNode[], marks: readonly Mark[]): Node[] {
  return children.flatMap((child) => readInline(child, marks))
}

function readInline(node: HtmlNode, marks: readonly Mark[]): Node[] {
  if (typeof node === 'string') return node === '' ? [] : [schema.text(node, marks)]
  switch (node.name) {
    case 'br':
      return [schema.node('hardBreak')]
    case 'img':
      return readImage(node, marks)
    case 'input':
      return []
    default:
      if (node.attributes['data-type'] === 'inline-math') return readMath('inlineMath', node)
      return inlineOf(node.children, withMark(marks, node))
  }
}

function readMath(type: 'inlineMath' | 'blockMath', { attributes, children }: HtmlElement): Node[] {
  const latex = attributes['data-latex'] ?? textOf(children)
  return latex.trim() === '' ? [] : [schema.node(type, { latex })]
}

const markNames: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  u: 'underline',
  ins: 'underline',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
  mark: 'highlight',
}

function withMark(marks: readonly Mark[], { name, attributes }: HtmlElement): readonly Mark[] {
  const { href } = attributes
  if (name === 'a' && href !== undefined && href !== '' && isSafeUrl(href)) {
    return schema.mark('link', { href, title: attributes.title ?? null }).addToSet(marks)
  }
  const mark = Object.hasOwn(markNames, name) ? markNames[name] : undefined
  return mark === undefined ? marks : schema.mark(mark).addToSet(marks)
}

function readImage({ attributes }: HtmlElement, marks: readonly Mark[]): Node[] {
  const { src, alt = '', title = null, align = null } = attributes
  if (src === undefined || src === '' || !isSafeUrl(src)) return alt === '' ? [] : [schema.text(alt, marks)]
  const link = marks.find((mark) => mark.type.name === 'link')
  const width = /^\d+$/.test(attributes.width ?? '') ? Number(attributes.width) : (attributes.width ?? null)
  return [schema.node('image', { src, alt, title, width, align, href: link?.attrs.href ?? null })]
}

// A figure of one image and a caption is an image with that caption.
function readFigure({ attributes, children }: HtmlElement, marks: readonly Mark[]): Node[] {
  const [caption, more] = children.filter((child) => typeof child !== 'string' && child.name === 'figcaption')
  const rest = readBlocks(
    children.filter((child) => child !== caption),
    marks,
  )
  const [image] = rest
  if (rest.length !== 1 || image?.type.name !== 'image' || more) return readBlocks(children, marks)
  const text = typeof caption === 'object' ? collapse(captionOf(caption.children), false).trim() : ''
  const align = /text-align:\s*(left|center|right)/.exec(attributes.style ?? '')?.[1] ?? image.attrs.align
  return [image.type.create({ ...image.attrs, align, title: text || image.attrs.title })]
}

// Keeps links, which the text of a caption may contain.
function captionOf(children: readonly HtmlNode[]): string {
  const words = children.map((child) => {
    if (typeof child === 'string') return child
    if (child.name !== 'a') return child.name === 'br' ? ' ' : captionOf(child.children)
    return captionLink(textOf(child.children), child.attributes.href ?? '')
  })
  return words.join('')
}

function readList(list: HtmlElement): Node[] {
  const items = list.children.filter((child) => typeof child !== 'string').filter(({ children }) => children.length > 0)
  const isTask = items.length > 0 && items.every((item) => checkOf(item) !== undefined)
  const nodes = items.map((item) => {
    const blocks = readBlocks(item.name === 'li' ? item.children : [item], [])
    if (blocks[0]?.type.name !== 'paragraph') blocks.unshift(schema.node('paragraph'))
    return isTask
      ? schema.node('taskItem', { checked: checkOf(item) === true }, blocks)
      : schema.node('listItem', null, blocks)
  })
  if (nodes.length === 0) return []
  if (isTask) return [schema.node('taskList', null, nodes)]
  const start = Number(list.attributes.start ?? '1')
  return list.name === 'ul'
    ? [schema.node('bulletList', null, nodes)]
    : [schema.node('orderedList', { start: Number.isSafeInteger(start) && start >= 0 ? start : 1 }, nodes)]
}

// Whether a task is done; undefined for an item that is not a task.
function checkOf(item: HtmlElement): boolean | undefined {
  const { 'data-checked': checked } = item.attributes
  if (checked !== undefined) return checked === 'true' || checked === ''
  for (const child of item.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') return undefined
    } else if (child.name === 'input' && child.attributes.type === 'checkbox') return 'checked' in child.attributes
    else return child.name === 'label' || child.name === 'p' ? checkOf(child) : undefined
  }
  return undefined
}

function readCode({ children }: HtmlElement): Node {
  const [code] = children.filter((child) => typeof child !== 'string')
  const language = /(?:^|\s)language-(\S+)/.exec(code?.attributes.class ?? '')?.[1] ?? null
  const text = textOf(children).replace(/\r\n?/g, '\n').replace(/^\n/, '').replace(/\n$/, '')
  return schema.node('codeBlock', { language }, text === '' ? [] : schema.text(text))
}

function textOf(children: readonly HtmlNode[]): string {
  return children
    .map((child) => (typeof child === 'string' ? child : child.name === 'br' ? '\n' : textOf(child.children)))
    .join('')
}

function readTable(table: HtmlElement): Node[] {
  const rows = rowsOf(table).map((row) => row.children.filter((child) => typeof child !== 'string'))
  const filled = rows.filter((cells) => cells.length > 0)
  const columns = Math.max(0, ...filled.map((cells) => cells.length))
  if (columns === 0)
    return readBlocks(
      table.children.filter((child) => typeof child === 'string'),
      [],
    )
  const nodes = filled.map((cells, index) => {
    const type = index === 0 ? 'tableHeader' : 'tableCell'
    const made = cells.map(({ children }) => schema.node(type, null, [cellLine(children)]))
    while (made.length < columns) made.push(schema.node(type, null, [schema.node('paragraph')]))
    return schema.node('tableRow', null, made)
  })
  return [schema.node('table', null, nodes)]
}

function rowsOf(element: HtmlElement): HtmlElement[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string' || child.name === 'table') return []
    return child.name === 'tr' ? [child] : rowsOf(child)
  })
}

// A cell contains one line; several lines are separated by line breaks.
function cellLine(children: readonly HtmlNode[]): Node {
  const lines = readBlocks(children, []).map(lineOf)
  const content = lines.flatMap((nodes, index) => (index > 0 ? [schema.node('hardBreak'), ...nodes] : nodes))
  return schema.node('paragraph', null, content)
}

function lineOf(block: Node): Node[] {
  if (block.inlineContent && block.type.spec.code !== true) return [...block.children]
  const text = block.isLeaf
    ? String(block.attrs.alt ?? block.attrs.latex ?? '')
    : block.textBetween(0, block.content.size, ' ')
  return text === '' ? [] : [schema.text(text)]
}
