import fc from 'fast-check'
import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'
import { Transform } from '@tiptap/pm/transform'
import { schema } from '../../extensions.ts'

const words = ['one', 'two', 'tow', 'the', 'contract', 'sum', 'is', '$250k', 'naïve', '🎉', '🎊', '日本語', 'a', '—']

type Random = (below: number) => number

/** A generator of numbers below a limit that fast-check can shrink: it draws from a given list. */
export function randomFrom(draws: readonly number[]): Random {
  let index = 0
  return (below) => (draws[index++ % draws.length] ?? 0) % below
}

/** Enough draws for one document and its edits. */
export const draws = fc.array(fc.nat(10_000), { minLength: 150, maxLength: 150 })

function phrase(random: Random): string {
  return Array.from({ length: 1 + random(5) }, () => words[random(words.length)]).join(random(8) === 0 ? '' : ' ')
}

function marks(random: Random): Mark[] {
  if (random(3) > 0) return []
  const kind = random(5)
  if (kind === 0) return [schema.mark('link', { href: `/${String(random(2))}` })]
  if (kind === 1) return [schema.mark('code')]
  return kind === 2 ? [schema.mark('bold'), schema.mark('italic')] : [schema.mark('bold')]
}

function atom(random: Random): Node {
  const kind = random(3)
  if (kind === 0) return schema.node('hardBreak')
  if (kind === 1) return schema.node('inlineMath', { latex: `x^${String(random(3))}` })
  return schema.node('mention', { id: 'ann', label: `Ann${String(random(2))}` })
}

function line(random: Random): Node[] {
  return Array.from({ length: random(4) }, () =>
    random(6) === 0 ? atom(random) : schema.text(`${phrase(random)} `, marks(random)),
  )
}

function paragraph(random: Random): Node {
  return schema.node('paragraph', null, line(random))
}

function item(random: Random, name: string, depth: number): Node {
  const rest = depth > 0 && random(3) === 0 ? [block(random, depth - 1)] : []
  return schema.node(name, name === 'taskItem' ? { checked: random(2) === 0 } : null, [paragraph(random), ...rest])
}

/** A block, containers `depth` deep. */
function block(random: Random, depth = 2): Node {
  const some = (make: () => Node) => Array.from({ length: 1 + random(3) }, make)
  const kind = random(depth > 0 ? 14 : 9)
  if (kind < 5) return paragraph(random)
  if (kind === 5) return schema.node('heading', { level: 1 + random(3) }, line(random))
  if (kind === 6) return schema.node('codeBlock', { language: 'js' }, schema.text(phrase(random)))
  if (kind === 7) return schema.node('image', { src: '/a.png', alt: phrase(random) })
  if (kind === 8) return schema.node(random(2) === 0 ? 'horizontalRule' : 'blockMath')
  if (kind === 9)
    return schema.node(
      'blockquote',
      null,
      some(() => block(random, depth - 1)),
    )
  if (kind === 10)
    return schema.node(
      'taskList',
      null,
      some(() => item(random, 'taskItem', depth)),
    )
  if (kind === 11)
    return schema.node(
      'orderedList',
      null,
      some(() => item(random, 'listItem', depth)),
    )
  if (kind === 12)
    return schema.node(
      'bulletList',
      null,
      some(() => item(random, 'listItem', depth)),
    )
  const columns = 1 + random(2)
  const cell = () => schema.node('tableCell', null, paragraph(random))
  const row = () => schema.node('tableRow', null, Array.from({ length: columns }, cell))
  return schema.node('table', null, some(row))
}

/** A document of a few blocks without suggestions. */
export function documentFrom(random: Random): Node {
  return schema.node(
    'doc',
    null,
    Array.from({ length: 1 + random(5) }, () => block(random)),
  )
}

function blockPositions(doc: Node, accept: (node: Node, parent: Node | null) => boolean): number[] {
  const found: number[] = []
  doc.descendants((node, pos, parent) => {
    if (accept(node, parent)) found.push(pos)
  })
  return found
}

/** One edit as made by a user or tool; returns the document unchanged if the schema refuses the edit. */
export function edited(doc: Node, random: Random): Node {
  const transform = new Transform(doc)
  try {
    edit(transform, random)
    transform.doc.check()
  } catch (error) {
    if (!(error instanceof RangeError || (error instanceof Error && error.name === 'TransformError'))) throw error
    return doc
  }
  return isWellFormed(transform.doc) ? transform.doc : doc
}

// Half a surrogate pair can be neither typed nor deleted.
function isWellFormed(node: Node): boolean {
  return node.isText ? (node.text ?? '').isWellFormed() : node.children.every(isWellFormed)
}

function edit(transform: Transform, random: Random): void {
  const { doc } = transform
  const texts = blockPositions(doc, (node) => node.isTextblock)
  const blocks = blockPositions(doc, (node) => node.isBlock)
  const pos = texts[random(Math.max(texts.length, 1))] ?? 0
  const at = blocks[random(blocks.length)] ?? 0
  const [text, target] = [doc.nodeAt(pos), doc.nodeAt(at)]
  if (!target) return
  const size = text?.content.size ?? 0
  const from = pos + 1 + random(size + 1)
  const to = Math.min(pos + 1 + size, from + random(9))
  switch (random(12)) {
    case 0:
      transform.delete(from, to)
      break
    case 1:
    case 2:
      transform.replaceWith(from, to, schema.text(phrase(random), text?.type.name === 'codeBlock' ? [] : marks(random)))
      break
    case 3:
      markText(transform, from, to, random)
      break
    case 4:
      transform.insert(at, block(random, 1))
      break
    case 5:
      transform.delete(at, at + target.nodeSize)
      break
    case 6:
      transform.replaceWith(at, at + target.nodeSize, block(random, 1))
      break
    case 7:
      transform.setNodeMarkup(pos, schema.nodes[['paragraph', 'heading', 'codeBlock'][random(3)] ?? ''], { level: 2 })
      break
    case 8:
      transform.split(from)
      break
    case 9:
      if (text?.type.name !== 'codeBlock') transform.insert(from, atom(random))
      break
    case 10:
      transform.replace(Math.min(from, at), Math.max(from, at), Slice.empty)
      break
    default:
      transform.insert(at + target.nodeSize, target.isTextblock ? target.copy(Fragment.empty) : target)
  }
}

// Marks are set only on text: Yjs can't store them on other nodes.
function markText(transform: Transform, from: number, to: number, random: Random): void {
  const [mark] = [...marks(random), schema.mark('bold')]
  const removes = random(2) === 0
  const { doc } = transform
  doc.nodesBetween(from, to, (node, pos, parent) => {
    if (!node.isText || !mark || !parent?.type.allowsMarkType(mark.type)) return
    const [start, end] = [Math.max(pos, from), Math.min(pos + node.nodeSize, to)]
    if (removes) transform.removeMark(start, end, mark.type)
    else transform.addMark(start, end, mark)
  })
}
