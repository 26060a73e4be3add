import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import { Fragment, type Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { blockPrefix } from '../../render/render-block.ts'
import { failure, quoteText, shorten, type ToolFailure } from '../../common/result.ts'
import { type Block, isVisible } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { removeBlock } from '../blocks/block-changes.ts'
import type { FoundShown } from '../find/find-shown.ts'
import { readBlockContent } from '../content/read-content.ts'
import { reviseNode } from '../blocks/revise-blocks.ts'
import { columnsOf, isDelimiter, readCells, readRows, refuseRowAfter, tableAround } from '../tables/table-rows.ts'
import { localizable, nothingToChange, removed } from '../../common/localizable.ts'

/**
 * Plans an edit of the markdown that reads show for blocks: replaces the found part, and changes each block so that it
 * reads as the result. Comments and suggestions on unchanged content are kept.
 */
export function planShown(
  view: DocumentView,
  found: FoundShown,
  replace: string,
  name: (block: Block) => string,
): ChangePlan | ToolFailure {
  const transform = new Transform(view.doc)
  const { blocks, shown, from, to } = found
  const lines = dividedByBlock(found, replace)
  const [first] = blocks
  const last = blocks.at(-1)
  if (!lines || !first || !last) return otherNumber(blocks.map(name))
  const isPart = from > 0 || to < shown.length
  const added = lines.slice(blocks.length).join('\n')
  const unfit = added === '' ? undefined : addRows(transform, view, last, added)
  if (unfit) return unfit
  for (const [index, block] of [...blocks.entries()].toReversed()) {
    const refused = reviseShown(transform, view, block, lines[index] ?? '', { name: name(block), isPart })
    if (refused) return refused
  }
  const before = shown.slice(from, to)
  const where = blocks.length === 1 ? `block ${name(first)}` : `blocks ${blocks.map(name).join(', ')}`
  if (transform.steps.length === 0) {
    const message = `Nothing to change: ${where} already ${blocks.length === 1 ? 'reads' : 'read'} so.`
    return { ok: true, transform, message, summary: nothingToChange, changes: [] }
  }
  const put = replace === '' ? 'nothing' : `"${quoteText(replace)}"`
  return {
    ok: true,
    transform,
    message: `Replaced "${quoteText(before)}" by ${put} in ${where}.`,
    summary: localizable`${shorten(before, 60)} → ${shorten(replace, 60) || removed}`,
    changes: [{ before, after: replace, pos: transform.mapping.map(first.pos + 1, -1) }],
  }
}

// The new markdown of each block, and new rows after those of a table; undefined if there are more or fewer lines than
// blocks.
function dividedByBlock({ blocks, shown, from, to }: FoundShown, replace: string): string[] | undefined {
  const before = shown.slice(0, from)
  const text = replace.replace(/^\[\d+\]\s+/gm, '').trim()
  // The call contained the checkbox of a task without the bullet before it.
  const now = before + (/[-*+] $/.test(before) ? text.replace(/^[-*+] (?=\[)/, '') : text) + shown.slice(to)
  const isTable = blocks.every(({ kind }) => kind === 'row')
  if (blocks.length === 1 && !isTable) return [now]
  const lines = now.split('\n').filter((line) => line.trim() !== '' && !(isTable && isDelimiter(line)))
  if (lines.length === 0) return blocks.map(() => '')
  return lines.length === blocks.length || (isTable && lines.length > blocks.length) ? lines : undefined
}

function addRows(transform: Transform, view: DocumentView, after: Block, lines: string): ToolFailure | undefined {
  const place = tableAround(view.doc, after)
  const rows = place && readRows(lines, place.table)
  if (!rows) return otherNumber([])
  if ('ok' in rows) return rows
  const refused = refuseRowAfter(place, place.row)
  if (refused) return refused
  transform.insert(after.pos + after.node.nodeSize, rows)
  return undefined
}

function otherNumber(names: readonly string[]): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`The text is that of ${names.length} blocks (${names.join(', ')}), and replace has another number of lines.`,
    'Give one line for each block, or change one block at a time; delete_blocks removes blocks.',
  )
}

function reviseShown(
  transform: Transform,
  view: DocumentView,
  block: Block,
  now: string,
  { name, isPart }: { name: string; isPart: boolean },
): ToolFailure | undefined {
  if (block.kind === 'row') return reviseRow(transform, view, block, now, name)
  if (now.trim() === '') removeBlock(transform, block)
  else if (block.kind === 'leaf') return reviseLeaf(transform, block, now, isPart ? name : undefined)
  else return reviseText(transform, view, block, now, name)
  return undefined
}

function reviseRow(transform: Transform, view: DocumentView, block: Block, now: string, name: string) {
  const place = tableAround(view.doc, block)
  if (!place) return undefined
  if (now.trim() === '') {
    if (place.row === 0 && place.table.childCount > 1) return keepsHead()
    removeBlock(transform, block)
    return undefined
  }
  const cells = block.node.children.filter(isVisible)
  const contents = block.node.childCount === cells.length ? readCells(now, cells) : undefined
  if (!contents) return needsCells(name, columnsOf(cells))
  // Cells keep their type, alignment and width: only their content is compared.
  const content = cells.map((cell, index) => cell.copy(contents[index]))
  reviseNode(transform, block, block.node.copy(Fragment.from(content)))
  return undefined
}

function keepsHead(): ToolFailure {
  return failure(
    'invalid_operation',
    'A table cannot lose its head row while it has others.',
    'Change the text of its cells instead.',
  )
}

function needsCells(name: string, count: number): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`Row ${name} has ${count} cells, and keeps them.`,
    localizable`replace: one line with ${count} cells, as in | a | b |; or the text of one cell.`,
  )
}

/** The attributes of leaf blocks that markdown shows; others, such as comments, are kept. */
const shownAttributes = ['src', 'alt', 'title', 'width', 'align', 'latex']

// `part` is the name of a block of which only a part is replaced: its other part must not become text.
function reviseLeaf(transform: Transform, { node, pos }: Block, now: string, part: string | undefined) {
  // Markdown reads an image tag only in the form that it writes; in HTML the tag may lack the width or have another
  // form.
  const content = readBlockContent(now)
  const only = content.childCount === 1 ? content.firstChild : null
  if (only?.type !== node.type && part !== undefined) return severalBlocks(part)
  if (only?.type !== node.type) transform.replaceWith(pos, pos + node.nodeSize, content)
  else {
    for (const attribute of shownAttributes) {
      const value: unknown = only.attrs[attribute]
      if (attribute in only.attrs && value !== node.attrs[attribute]) {
        transform.setNodeAttribute(pos, attribute, value)
      }
    }
  }
  return undefined
}

const taskMarker = /^(\s*(?:> )*\s*)[-*+] \[([ xX])\] /

function reviseText(transform: Transform, view: DocumentView, block: Block, now: string, name: string) {
  const prefix = blockPrefix(view.doc, block)
  const task = taskMarker.exec(now)
  const isSameMarker = now.startsWith(prefix)
  const isTicked = !isSameMarker && task !== null && taskMarker.test(prefix)
  if (!isSameMarker && !isTicked) return keepsMarker(prefix, name)
  const indent = '\n' + ' '.repeat(prefix.length)
  const text = now.slice(isTicked ? task[0].length : prefix.length).replaceAll(indent, '\n')
  const content = text.trim() === '' ? Fragment.empty : parseMarkdownFragment(text)
  const [only] = content.content
  const made = content.childCount === 0 ? block.node.copy(Fragment.empty) : only
  if (!made || content.childCount > 1 || !isText(made) || (prefix !== '' && made.type !== block.node.type)) {
    return severalBlocks(name)
  }
  reviseNode(transform, block, made)
  if (!isTicked) return undefined
  const $block = view.doc.resolve(block.pos)
  transform.setNodeAttribute($block.before(), 'checked', task[2] !== ' ')
  return undefined
}

function isText({ type }: Node): boolean {
  return type.isTextblock
}

function keepsMarker(prefix: string, name: string): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`"${prefix.trim()}" before the text of block ${name} is the marker of its list or quote, no text.`,
    'Leave the marker as it is; apply_formatting makes another kind of list of whole blocks.',
  )
}

function severalBlocks(name: string): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`replace does not leave one block of the same kind in place of block ${name}.`,
    'Replace only the words that change, and add blocks with insert_text.',
  )
}
