import type { Mark, Node } from 'prosemirror-model'
import { schema } from '../extensions.ts'
import { isSafeUrl } from '../links.ts'
import { readImageTag } from './image-tag.ts'
import type { MdastOf, Phrasing } from './processor.ts'
import { joinLines } from './white-space.ts'

/** The document context for reading inline content. */
export type InlineContext = {
  /** The markdown that the tree was parsed from; positions are offsets into it. */
  source: string
  /** The definition that a normalised identifier refers to. */
  definition(identifier: string): MdastOf<'definition'> | undefined
  /** Whether the line is a table cell, where `\|` means `|` in any construct. */
  inTable: boolean
}

/**
 * Reads mdast phrasing as ProseMirror nodes: text, inline atoms and block images, which the caller moves out of the
 * line. Keeps all text: a construct without a node in the schema becomes its literal source.
 */
export function readInline(children: readonly Phrasing[], marks: readonly Mark[], context: InlineContext): Node[] {
  const tags = matchTags(children)
  const read: Node[] = []
  let open = marks
  const outer: (readonly Mark[])[] = []
  for (const [index, child] of children.entries()) {
    const tag = tags.get(index)
    if (tag === 'close') open = outer.pop() ?? marks
    else if (tag) {
      outer.push(open)
      open = tag.addToSet(open)
    } else for (const node of readPhrasing(child, open, context)) read.push(node)
  }
  return read
}

function readPhrasing(node: Phrasing, marks: readonly Mark[], context: InlineContext): Node[] {
  switch (node.type) {
    case 'text':
      return text(joinLines(node.value), marks)
    case 'strong':
      return readInline(node.children, add(marks, 'bold'), context)
    case 'emphasis':
      return readInline(node.children, add(marks, 'italic'), context)
    case 'delete':
      return readInline(node.children, add(marks, 'strike'), context)
    case 'inlineCode':
      return text(joinLines(node.value), add(marks, 'code'))
    case 'break':
      return [create('hardBreak')]
    case 'inlineMath':
      return readMath(node, marks, context)
    case 'image':
      return readImage(node, marks)
    case 'imageReference': {
      const definition = context.definition(node.identifier)
      if (!definition) return text(literal(node, context), marks)
      return readImage({ alt: node.alt, url: definition.url, title: definition.title }, marks)
    }
    case 'link':
      // Addresses found in text that was escaped to prevent this reading have no position.
      if (!node.position) return readInline(node.children, marks, context)
      return readInline(node.children, linked(marks, node.url, node.title), context)
    case 'linkReference': {
      const definition = context.definition(node.identifier)
      if (!definition) return text(literal(node, context), marks)
      return readInline(node.children, linked(marks, definition.url, definition.title), context)
    }
    case 'html':
      return readTag(node.value, marks)
    case 'footnoteReference':
      return text(joinLines(literal(node, context)), marks)
  }
}

function readMath(node: MdastOf<'inlineMath'>, marks: readonly Mark[], context: InlineContext): Node[] {
  const source = literal(node, context)
  const next = context.source[node.position?.end.offset ?? -1] ?? ''
  // Two prices in one sentence are not a formula: the rule of Pandoc and GitHub for single dollars.
  const isPrice = /^\$[^$]/.test(source) && (/^\$\s|\s\$$/.test(source) || /\d/.test(next))
  if (isPrice || node.value.trim() === '') return text(joinLines(source), marks)
  const value = joinLines(node.value)
  return [create('inlineMath', { latex: context.inTable ? value.replaceAll('\\|', '|') : value })]
}

function readImage(
  image: { url: string; alt?: string | null | undefined; title?: string | null | undefined },
  marks: readonly Mark[],
): Node[] {
  const alt = joinLines(image.alt ?? '')
  if (!isSafeUrl(image.url)) return text(alt, marks)
  return [create('image', { src: image.url, alt: alt || null, title: image.title || null, href: hrefOf(marks) })]
}

function readTag(source: string, marks: readonly Mark[]): Node[] {
  if (/^<br\s*\/?>$/i.test(source)) return [create('hardBreak')]
  const image = readImageTag(source)
  return image ? [create('image', { ...image, href: hrefOf(marks) })] : literalLines(source, marks)
}

function hrefOf(marks: readonly Mark[]): unknown {
  return marks.find((mark) => mark.type.name === 'link')?.attrs.href ?? null
}

function linked(marks: readonly Mark[], url: string, title: string | null | undefined): readonly Mark[] {
  return isSafeUrl(url) ? add(marks, 'link', { href: url, title: title || null }) : marks
}

const openingTag = /^<(u|mark)(?:\s+data-color="([#a-z0-9(),.% -]+)")?\s*>$/i
const closingTag = /^<\/(u|mark)\s*>$/i

type OpenTag = { index: number; name: string; mark: Mark }

/** Pairs `<u>` and `<mark>` with their closing tags; an unpaired tag isn't in the result and remains literal text. */
function matchTags(children: readonly Phrasing[]): Map<number, Mark | 'close'> {
  const pairs = new Map<number, Mark | 'close'>()
  const open: OpenTag[] = []
  for (const [index, child] of children.entries()) {
    if (child.type !== 'html') continue
    const opening = openingTag.exec(child.value)
    if (opening) {
      const name = (opening[1] ?? '').toLowerCase()
      const color = opening[2] ?? null
      open.push({ index, name, mark: name === 'u' ? mark('underline') : mark('highlight', { color }) })
    }
    const name = closingTag.exec(child.value)?.[1]?.toLowerCase()
    const match = name === undefined ? -1 : open.findLastIndex((tag) => tag.name === name)
    const tag = open[match]
    if (!tag) continue
    pairs.set(tag.index, tag.mark).set(index, 'close')
    open.length = match
  }
  return pairs
}

/** The literal source as text nodes with a hard break between its lines. */
export function literalLines(source: string, marks: readonly Mark[] = []): Node[] {
  return source
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => [...(index > 0 ? [create('hardBreak')] : []), ...text(line, marks)])
}

/** The source of an mdast node, verbatim. */
export function literal(node: Phrasing | MdastOf<'definition'>, context: InlineContext): string {
  return context.source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
}

function text(value: string, marks: readonly Mark[]): Node[] {
  return value === '' ? [] : [schema.text(value, marks)]
}

function create(name: string, attributes?: Record<string, unknown>): Node {
  return schema.node(name, attributes)
}

function mark(name: string, attributes?: Record<string, unknown>): Mark {
  return schema.mark(name, attributes)
}

function add(marks: readonly Mark[], name: string, attributes?: Record<string, unknown>): readonly Mark[] {
  return mark(name, attributes).addToSet(marks)
}
