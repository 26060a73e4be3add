import type { Fragment, Mark, Node } from 'prosemirror-model'
import { isSafeUrl } from '../links.ts'
import { writeImageTag } from './image-tag.ts'
import type { MdastOf, Phrasing } from './processor.ts'
import { joinLines } from './white-space.ts'

/** The context of a written line; determines the form of a hard break. */
export type LinePlace = 'paragraph' | 'heading' | 'cell'

type Piece = { node: Node; marks: readonly Mark[] }

/** Writes inline content as mdast phrasing; marks nest so that the longest one is outermost. */
export function writeInline(content: Fragment, place: LinePlace): Phrasing[] {
  const pieces: Piece[] = []
  content.forEach((node) => {
    const marks = node.isText ? node.marks.filter((mark) => mark.type.name in writtenMarks) : []
    pieces.push({ node, marks })
  })
  return mergeText(writePieces(hoistSpaces(pieces), place, true))
}

const writtenMarks: Record<string, number> = {
  link: 0,
  underline: 1,
  highlight: 2,
  bold: 3,
  italic: 4,
  strike: 5,
  code: 6,
}

function writePieces(pieces: readonly Piece[], place: LinePlace, atEnd: boolean): Phrasing[] {
  const written: Phrasing[] = []
  let index = 0
  while (index < pieces.length) {
    const piece = pieces[index]
    if (!piece) break
    const { mark, end } = longestMark(pieces, index)
    if (mark) {
      const inner = pieces.slice(index, end).map(({ node, marks }) => ({ node, marks: mark.removeFromSet(marks) }))
      const children = writePieces(inner, place, atEnd && end === pieces.length)
      for (const node of wrap(mark, children)) written.push(node)
    } else for (const node of writeLeaf(piece, place, atEnd && index === pieces.length - 1)) written.push(node)
    index = Math.max(end, index + 1)
  }
  return written
}

function longestMark(pieces: readonly Piece[], from: number): { mark: Mark | undefined; end: number } {
  let longest: { mark: Mark | undefined; end: number } = { mark: undefined, end: from + 1 }
  for (const mark of pieces[from]?.marks ?? []) {
    if (mark.type.name === 'code') continue
    let end = from + 1
    while (pieces[end] && mark.isInSet(pieces[end]?.marks ?? [])) end++
    const rank = (candidate: Mark) => writtenMarks[candidate.type.name] ?? 9
    const wins = !longest.mark || end > longest.end || (end === longest.end && rank(mark) < rank(longest.mark))
    if (wins) longest = { mark, end }
  }
  return longest
}

function wrap(mark: Mark, children: Phrasing[]): Phrasing[] {
  const merged = mergeText(children)
  switch (mark.type.name) {
    case 'bold':
      return [{ type: 'strong', children: merged }]
    case 'italic':
      return [{ type: 'emphasis', children: merged }]
    case 'strike':
      return [{ type: 'delete', children: merged }]
    case 'link':
      if (!isSafeUrl(mark.attrs.href)) return merged
      return [writeLink(mark.attrs.href, titleOf(mark.attrs.title), merged)]
    case 'underline':
      return [html('<u>'), ...merged, html('</u>')]
    default:
      return [html(highlightTag(mark.attrs.color)), ...merged, html('</mark>')]
  }
}

const emailAutolink = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i

function writeLink(url: string, title: string | null, children: Phrasing[]): Phrasing {
  const [only] = children
  // The library writes `<a@_.b>`, which CommonMark doesn't read as a link; splitting the text makes it write `[…](…)`.
  if (only?.type === 'text' && url === `mailto:${only.value}` && !emailAutolink.test(only.value)) {
    const [first = '', ...rest] = only.value
    children = [
      { type: 'text', value: first },
      { type: 'text', value: rest.join('') },
    ]
  }
  return { type: 'link', url, title, children }
}

function highlightTag(color: unknown): string {
  return typeof color === 'string' && /^[#a-z0-9(),.% -]+$/i.test(color) ? `<mark data-color="${color}">` : '<mark>'
}

function titleOf(title: unknown): string | null {
  return typeof title === 'string' && title !== '' ? title : null
}

function writeLeaf({ node, marks }: Piece, place: LinePlace, atEnd: boolean): Phrasing[] {
  switch (node.type.name) {
    case 'text': {
      const value = joinLines((node.text ?? '').replace(/[\r\n]+/g, '\n'))
      return [marks.some((mark) => mark.type.name === 'code') ? { type: 'inlineCode', value } : { type: 'text', value }]
    }
    case 'hardBreak':
      // A backslash at the very end of a line, in a heading or in a cell is not a break.
      return [place === 'paragraph' && !atEnd ? { type: 'break' } : html('<br>')]
    case 'inlineMath':
      return writeMath(String(node.attrs.latex), place)
    case 'mention':
      return [{ type: 'text', value: `@${String(node.attrs.label)}` }]
    default:
      return []
  }
}

/** Writes inline math; in a cell a bar must be escaped, and `\|` can only be written by its name. */
export function writeMath(latex: string, place: LinePlace): Phrasing[] {
  let value = onOneLine(latex)
  if (place === 'cell') value = value.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\|')
  return value.trim() === '' ? [] : [{ type: 'inlineMath', value }]
}

function onOneLine(latex: string): string {
  const lines = latex.split(/[\r\n]+/)
  const last = lines.length - 1
  return lines
    .map((line, index) => (index === 0 ? line : line.trimStart()))
    .map((line, index) => (index === last ? line : line.trimEnd()))
    .filter((line, index) => line !== '' || index === 0 || index === last)
    .join(' ')
}

/** An mdast node that is written verbatim. */
export function html(value: string): Phrasing {
  return { type: 'html', value }
}

// Emphasis markers must touch a letter: spaces at the edge of a marked run are moved out of it, where they look the
// same.
function hoistSpaces(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, index) => {
    const { node, marks } = piece
    if (!node.isText || !marks.some((mark) => isEmphasis(mark))) return [piece]
    if (marks.some((mark) => mark.type.name === 'code')) return [piece]
    const value = node.text ?? ''
    const startsRun = (mark: Mark) => !mark.isInSet(pieces[index - 1]?.marks ?? [])
    const endsRun = (mark: Mark) => !mark.isInSet(pieces[index + 1]?.marks ?? [])
    const lead = marks.some((mark) => isEmphasis(mark) && startsRun(mark)) ? (/^\s+/.exec(value)?.[0] ?? '') : ''
    const rest = value.slice(lead.length)
    const tail = marks.some((mark) => isEmphasis(mark) && endsRun(mark)) ? rest.slice(rest.trimEnd().length) : ''
    const body = rest.slice(0, rest.length - tail.length)
    const part = (part: string, kept: readonly Mark[]): Piece[] =>
      part === '' ? [] : [{ node: node.type.schema.text(part), marks: kept }]
    return [
      ...part(
        lead,
        marks.filter((mark) => !isEmphasis(mark) || (body !== '' && !startsRun(mark))),
      ),
      ...part(body, marks),
      ...part(
        tail,
        marks.filter((mark) => !isEmphasis(mark) || !endsRun(mark)),
      ),
    ]
  })
}

function isEmphasis(mark: Mark): boolean {
  return ['bold', 'italic', 'strike'].includes(mark.type.name)
}

function mergeText(nodes: readonly Phrasing[]): Phrasing[] {
  const merged: Phrasing[] = []
  for (const node of nodes) {
    const last = merged.at(-1)
    if ((node.type === 'text' || node.type === 'inlineCode') && last?.type === node.type) last.value += node.value
    else merged.push(node)
  }
  return merged
}

/** Writes an image, inside its link if it has one; an unsafe address is omitted. */
export function writeImage(node: Node): Phrasing[] {
  const { src, alt, title, href } = node.attrs
  if (!isSafeUrl(src)) return string(alt) === '' ? [] : [{ type: 'text', value: string(alt) }]
  const tag = writeImageTag(node.attrs)
  const plain: MdastOf<'image'> = { type: 'image', url: src, alt: string(alt), title: string(title) || null }
  const image: Phrasing = tag === undefined ? plain : { type: 'html', value: tag }
  return isSafeUrl(href) && href !== '' ? [{ type: 'link', url: href, children: [image] }] : [image]
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
