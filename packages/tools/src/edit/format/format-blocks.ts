import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import type { Block } from '../../document/blocks.ts'
import { isItem } from '../blocks/block-changes.ts'
import { type ContainerFormat, isList, reshapeBlocks } from '../blocks/reshape-blocks.ts'
import { reshapeContent } from '../blocks/reshape.ts'
import { type Touched, touchedBlocks } from '../blocks/touched.ts'

export const blockFormats = [
  'heading',
  'paragraph',
  'bulletList',
  'orderedList',
  'taskList',
  'blockquote',
  'codeBlock',
] as const
export type BlockFormat = (typeof blockFormats)[number]

/**
 * A format to set on blocks or, with `remove`, to remove; `level` is that of a heading, `language` that of code, empty
 * for none; `checked` is the state of tasks.
 */
export type BlockChange = {
  type: BlockFormat
  level: number
  remove: boolean
  language?: string | undefined
  checked?: boolean | undefined
}

/** The reason why a block doesn't allow a format, and an alternative, as two sentences. */
export type Refusal = { block: Block; message: string; hint: string }

/**
 * Sets or removes the format on each block that needs it. Blocks that don't allow it are unchanged and reported.
 * `blocks` are in document order, in the current document of `transform`.
 */
export function formatBlocks(transform: Transform, blocks: readonly Block[], change: BlockChange): Refusal[] {
  const touched = touchedBlocks(blocks)
  const refused = blocks.flatMap((block) => refuse(transform.doc, block, touched, change))
  const left = new Set(refused.map(({ block }) => block))
  const formatted = blocks.filter((block) => !left.has(block))
  const { type, level, remove } = change
  switch (type) {
    case 'heading':
    case 'paragraph':
      setKind(transform, formatted, type === 'paragraph' || remove ? undefined : level)
      if (type === 'paragraph' && !remove) reshape(transform, formatted, 'codeBlock', true)
      break
    default:
      reshape(transform, formatted, type, remove)
      if (!remove) setDetails(transform, formatted, change)
  }
  return refused
}

// Sets the language of code and the state of tasks, in the blocks that have or now get this format.
function setDetails(transform: Transform, blocks: readonly Block[], { type, language, checked }: BlockChange): void {
  const name = type === 'codeBlock' ? 'language' : 'checked'
  const value = type === 'codeBlock' ? language && language.trim().split(/\s/)[0] : checked
  const isMeant = type === 'codeBlock' ? language !== undefined : type === 'taskList' && checked !== undefined
  if (!isMeant) return
  const own = new Set(blocks.map(({ node }) => node))
  const old = new Set<Node>()
  transform.before.descendants((node) => void old.add(node))
  const found: number[] = []
  transform.doc.descendants((node, pos) => {
    const isTask = node.type.name === 'taskItem' && type === 'taskList'
    const block = isTask ? node.firstChild : node.type.name === 'codeBlock' && type === 'codeBlock' ? node : null
    if (block && (own.has(block) || !old.has(block)) && (node.attrs[name] ?? '') !== (value ?? '')) found.push(pos)
  })
  for (const pos of found) transform.setNodeAttribute(pos, name, value === '' ? null : value)
}

function reshape(transform: Transform, blocks: readonly Block[], format: ContainerFormat, remove: boolean): void {
  const { doc } = transform
  reshapeContent(transform, 0, doc.content, reshapeBlocks(doc, touchedBlocks(blocks), format, remove))
}

// Sets headings of this level, or paragraphs without one. Positions stay valid.
function setKind(transform: Transform, blocks: readonly Block[], level: number | undefined): void {
  for (const { node, pos } of blocks) {
    const isHeading = node.type.name === 'heading'
    if (!isHeading && (level === undefined || node.type.name !== 'paragraph')) continue
    if (level === undefined) transform.setNodeMarkup(pos, node.type.schema.nodes.paragraph, node.attrs)
    else if (!isHeading) transform.setNodeMarkup(pos, node.type.schema.nodes.heading, { ...node.attrs, level })
    else if (node.attrs.level !== level) transform.setNodeAttribute(pos, 'level', level)
  }
}

function refuse(doc: Node, block: Block, touched: Touched, change: BlockChange): Refusal[] {
  const { type, remove } = change
  if (remove) return []
  const $pos = doc.resolve(block.pos)
  const isOwn = isItem($pos.parent) && $pos.index() === 0
  if (type === 'blockquote') {
    const depth = outermost($pos.depth, (each) => isList($pos.node(each)) || $pos.node(each).type.name === 'table')
    const isWhole = depth === undefined || touched.covers($pos.node(depth), $pos.before(depth))
    return isWhole || !(isOwn || block.kind === 'row')
      ? []
      : [
          refusal(
            block,
            `is only a part of its ${block.kind === 'row' ? 'table' : 'list'}`,
            'Quote the whole of it, with block and to.',
          ),
        ]
  }
  if (block.kind === 'row') {
    return [
      refusal(
        block,
        'is a row of a table, whose cells hold lines of text',
        'Format the text in it, or put the block before or after the table.',
      ),
    ]
  }
  if (block.kind === 'leaf')
    return [refusal(block, 'is an image, a rule or a formula', 'Format the blocks next to it.')]
  const isCode = block.node.type.spec.code === true
  if (isCode && type !== 'paragraph' && type !== 'codeBlock') {
    return [refusal(block, 'is a code block', 'Make it a paragraph first, or insert a new block before it.')]
  }
  if (isOwn && (type === 'heading' || type === 'codeBlock')) {
    return [
      refusal(
        block,
        'is the text of a list item',
        'Take it out of the list first, with the format of the list and remove.',
      ),
    ]
  }
  return []
}

function outermost(depth: number, test: (depth: number) => boolean): number | undefined {
  for (let each = 1; each <= depth; each++) if (test(each)) return each
  return undefined
}

function refusal(block: Block, is: string, hint: string): Refusal {
  return { block, message: `${is}.`, hint }
}
