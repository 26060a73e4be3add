import type { Fragment, Mark, Node } from 'prosemirror-model'
import { captionHtml } from '../caption.ts'
import { isSafeUrl } from '../links.ts'
import { reviewMarkNames } from '../marks/review.ts'
import { type ChangesView, plainTexts, resolveChanges } from '../resolve-changes.ts'
import { escapeHtml } from './escape.ts'

/** The view of suggested changes in HTML: the text before them (default), or as if all were accepted. */
export type SerializeHtmlOptions = { changes?: ChangesView }

/**
 * Serializes a document to HTML, one line per top-level block, without a DOM: the elements of the schema (`toDOM`), no
 * comments, suggestions or ids. All text is escaped, unsafe addresses are omitted, a mention is the text `@label`. An
 * empty document is an empty string.
 */
export function serializeHtml(doc: Node, { changes = 'original' }: SerializeHtmlOptions = {}): string {
  try {
    return writeLines(resolveChanges(doc, changes).children.map(writeNode))
  } catch (error) {
    // The serializer is recursive: blocks nested deeper than the call stack allows are written as plain text.
    if (!(error instanceof RangeError)) throw error
    return writeLines(plainTexts(doc, changes).map((text) => `<p>${escapeHtml(text)}</p>`))
  }
}

function writeLines(lines: readonly string[]): string {
  return lines.length === 0 || (lines.length === 1 && lines[0] === '<p></p>') ? '' : `${lines.join('\n')}\n`
}

function writeNode(node: Node): string {
  if (node.isText) return escapeHtml(node.text ?? '')
  if (node.type.name === 'mention') return escapeHtml(`@${String(node.attrs.label)}`)
  if (node.type.name === 'image') return writeImage(node)
  const tags = writeSpec(node.type.spec.toDOM?.(node))
  return tags ? tags.before + writeContent(node) + tags.after : ''
}

// An image with a caption or an alignment is written as a figure, with its title as the caption.
function writeImage(node: Node): string {
  const { title, align, href } = node.attrs
  const caption = typeof title === 'string' ? title.trim() : ''
  const bare = caption === '' ? node : node.type.create({ ...node.attrs, title: null })
  const image = writeSpec(bare.type.spec.toDOM?.(bare))?.before ?? ''
  const linked = isSafeUrl(href) ? `<a${writeAttributes({ href })}>${image}</a>` : image
  if (caption === '' && typeof align !== 'string') return linked
  const style = typeof align === 'string' ? writeAttributes({ style: `text-align: ${align}` }) : ''
  const below = caption === '' ? '' : `<figcaption>${captionHtml(caption)}</figcaption>`
  return `<figure${style}>${linked}${below}</figure>`
}

function writeContent(node: Node): string {
  if (!node.inlineContent) return node.children.map(writeNode).join('')
  // HTML parsers drop a leading line feed in <pre>.
  const lead = node.type.spec.code === true && node.textContent.startsWith('\n') ? '\n' : ''
  return lead + writeInline(node.content)
}

type Tags = { before: string; after: string }

// Marks that continue over several nodes stay open between them.
function writeInline(content: Fragment): string {
  let html = ''
  let open: { mark: Mark; tags: Tags }[] = []
  const closeTo = (depth: number): void => {
    for (const { tags } of open.slice(depth).toReversed()) html += tags.after
    open = open.slice(0, depth)
  }
  content.forEach((node) => {
    const marks = node.marks.filter((mark) => isWritten(mark))
    let depth = 0
    while (isSame(open[depth]?.mark, marks[depth])) depth++
    closeTo(depth)
    for (const mark of marks.slice(depth)) {
      const tags = writeSpec(mark.type.spec.toDOM?.(mark, true)) ?? { before: '', after: '' }
      html += tags.before
      open.push({ mark, tags })
    }
    html += writeNode(node)
  })
  closeTo(0)
  return html
}

function isSame(a: Mark | undefined, b: Mark | undefined): boolean {
  return a !== undefined && b !== undefined && a.eq(b)
}

const reviewMarks: ReadonlySet<string> = new Set(reviewMarkNames)

function isWritten(mark: Mark): boolean {
  return !reviewMarks.has(mark.type.name) && (mark.type.name !== 'link' || isSafeUrl(mark.attrs.href))
}

const voidTags: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input'])

// A DOM spec is text, or an array of a tag name, optional attributes and children, one of which may be 0, the content
// hole.
function writeSpec(spec: unknown): Tags | undefined {
  if (typeof spec === 'string') return { before: escapeHtml(spec), after: '' }
  if (!Array.isArray(spec)) return undefined
  const [tag, ...rest]: unknown[] = spec
  if (typeof tag !== 'string' || !/^[a-z][a-z0-9]*$/.test(tag)) return undefined
  const hasAttributes = typeof rest[0] === 'object' && rest[0] !== null && !Array.isArray(rest[0])
  const start = `<${tag}${hasAttributes ? writeAttributes(rest[0] ?? {}) : ''}>`
  if (voidTags.has(tag)) return { before: start, after: '' }
  let before = start
  let after: string | undefined
  for (const child of hasAttributes ? rest.slice(1) : rest) {
    const tags = child === 0 ? { before: '', after: '' } : writeSpec(child)
    if (!tags) continue
    if (after !== undefined) after += tags.before + tags.after
    else if (child === 0 || hasHole(child)) [before, after] = [before + tags.before, tags.after]
    else before += tags.before + tags.after
  }
  return { before, after: `${after ?? ''}</${tag}>` }
}

function hasHole(spec: unknown): boolean {
  return Array.isArray(spec) && spec.some((child: unknown) => child === 0 || hasHole(child))
}

const number = /^\d{1,5}$/
const one = /^\S{1,100}$/

// The attributes that are written to HTML, and their valid values; all others, including those of review, are omitted.
const allowed: Readonly<Record<string, (value: string) => boolean>> = {
  href: isSafeUrl,
  src: isSafeUrl,
  alt: () => true,
  title: () => true,
  class: (value) => one.test(value),
  style: (value) =>
    /^(?:(?:(?:text-align|background-color|color): #?[\w-]+|width: \d{1,6}(?:\.\d{1,2})?%)(?:; ?|$))+$/.test(value),
  width: (value) => /^\d{1,5}%?$/.test(value),
  height: (value) => number.test(value),
  colspan: (value) => number.test(value) && value !== '1',
  rowspan: (value) => number.test(value) && value !== '1',
  start: (value) => number.test(value),
  type: (value) => one.test(value),
  checked: () => true,
  'data-type': (value) => one.test(value),
  'data-checked': (value) => one.test(value),
  'data-color': (value) => one.test(value),
  'data-latex': () => true,
}

/** The attributes of a start tag, each with a leading space. Unsafe addresses are omitted. */
function writeAttributes(attributes: object): string {
  return Object.entries(attributes)
    .map(([name, value]: [string, unknown]) => writeAttribute(name, value))
    .join('')
}

function writeAttribute(name: string, value: unknown): string {
  if (!Object.hasOwn(allowed, name) || !['string', 'number', 'boolean'].includes(typeof value)) return ''
  const text = `${value as string | number | boolean}`
  return allowed[name]?.(text) ? ` ${name}="${escapeHtml(text)}"` : ''
}
