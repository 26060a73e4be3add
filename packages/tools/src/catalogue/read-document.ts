import { fencedFrontmatter } from '@copydesk/schema'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { documentTitle, measureDocument } from '../document-info.ts'
import { renderBlock } from '../render/render-block.ts'
import { failure, success, type ToolFailure, type ToolResult } from '../result.ts'
import { type Block, holdsChanges } from '../session/blocks.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentView } from '../session/document-view.ts'
import { blockNumber } from './fields.ts'

const input = z.object({
  from: blockNumber.optional().describe('Number of the first block to read; 0 by default.'),
  to: blockNumber
    .optional()
    .describe('Number of the last block to read, inclusive; by default as far as one call goes.'),
  offset: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Offset in the first block to continue from, in characters: only for a block too long for one call.'),
})

const nothingLeft = '(Suggested changes delete everything in the document; read_changes lists them.)'

type Page = { lines: string[]; blocks: Block[]; cutAt: number | undefined }

/**
 * Shows the document block by block, at most `readCharacters` per call. Numbers are the current indices in the
 * document.
 */
export const readDocument = defineTool({
  name: 'read_document',
  description:
    'Reads the document as numbered blocks of markdown: [n] text. Use it before the first change and whenever numbers are stale. A long document comes in parts; the result says how to continue. Suggested changes that nobody has decided on are shown as if accepted; a note in parentheses at the end, which is no part of the document, names the blocks that hold some.',
  input,
  changes: false,
  activity: 'Reading…',
  handler({ from = 0, to, offset = 0 }, session) {
    const read = session.view()
    if (!read.ok) return read
    const { view } = read
    if (view.blocks.length === 0) return success(`${header(session, view)}\n\n${nothingLeft}`, 'Read the document')
    const start = session.readStart(from)
    const refused = checkRange(from, start, to, view)
    if (refused) return refused
    const last = Math.min(view.blocks.length - 1, to === undefined ? Infinity : to + start - from)
    const page = takePage(view, start, last, offset, session.limits.readCharacters)
    if (page.lines.length === 0) return offsetBeyond(start, offset, view)
    return report(page, { from, offset, last: to === undefined ? view.blocks.length - 1 : last }, session, view)
  },
})

function checkRange(from: number, start: number, to: number | undefined, view: DocumentView): ToolFailure | undefined {
  const end = view.blocks.length - 1
  if (start > end) {
    return failure('out_of_range', `There is no block ${from}.`, `The document has blocks 0 to ${end}.`)
  }
  if (to === undefined || to >= from) return undefined
  return failure(
    'invalid_input',
    `to (${to}) is before from (${from}).`,
    `to: a block from ${from} on; ${end} is the last.`,
  )
}

function offsetBeyond(start: number, offset: number, view: DocumentView): ToolFailure {
  const block = view.blocks[start]
  const length = block ? renderBlock(view.doc, block).length : 0
  return failure(
    'out_of_range',
    `Block [${start}] ends before offset ${offset}.`,
    `offset can be 0 to ${length - 1} there.`,
  )
}

function takePage(view: DocumentView, start: number, last: number, offset: number, limit: number): Page {
  const page: Page = { lines: [], blocks: [], cutAt: undefined }
  let length = 0
  for (let index = start; index <= last; index++) {
    const block = view.blocks[index]
    if (!block) break
    const skipped = index === start ? offset : 0
    const rendered = renderBlock(view.doc, block)
    if (skipped > 0 && skipped >= rendered.length) break
    const text = rendered.slice(skipped)
    if (page.lines.length > 0 && length + text.length > limit) break
    page.blocks.push(block)
    const cut = text.length > limit ? wholePairs(text.slice(0, limit)) : text
    page.lines.push(`[${index}] ${skipped > 0 ? '…' : ''}${cut}`)
    length += cut.length
    if (cut === text) continue
    page.cutAt = skipped + cut.length
    break
  }
  return page
}

function wholePairs(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

type Asked = { from: number; offset: number; last: number }

function report(page: Page, asked: Asked, session: DocumentSession, view: DocumentView): ToolResult {
  const last = page.blocks.at(-1)
  const isDone = page.cutAt === undefined && (last?.index ?? 0) >= asked.last
  const { renumbered } = session.showRead(page.blocks, page.cutAt === undefined ? last : undefined)
  const parts: string[] = []
  if (asked.from === 0 && asked.offset === 0) parts.push(header(session, view))
  if (renumbered) {
    parts.push('Blocks have new numbers: the numbers below are their places in the current document.')
  }
  parts.push(page.lines.join('\n'))
  const note = noteChanges(page.blocks)
  if (note) parts.push(note)
  if (!isDone) parts.push(goOn(page, last, view))
  const first = page.blocks[0]?.index ?? 0
  const share = isDone && first === 0 ? 'the document' : `${page.blocks.length} of ${view.blocks.length} blocks`
  return success(parts.join('\n\n'), `Read ${share}`, {
    from: first,
    to: last?.index ?? first,
    blocks: view.blocks.length,
  })
}

function header(session: DocumentSession, view: DocumentView): string {
  const { words } = measureDocument(view)
  const count = view.blocks.length
  const size = `${count} ${count === 1 ? 'block' : 'blocks'}, ${words} ${words === 1 ? 'word' : 'words'}`
  const yaml = view.frontmatter === null ? '' : `\n\n[frontmatter]\n---\n${fencedFrontmatter(view.frontmatter)}\n---`
  const open = holdsChanges(view.doc) ? '\nSuggested changes are open: read_changes lists them.' : ''
  return `Title: ${documentTitle(session, view) || '(none)'}\n${size}${open}${yaml}`
}

const longestList = 20

// A separate note instead of marks in the lines, which a model would read as text.
function noteChanges(blocks: readonly Block[]): string | undefined {
  const numbers = blocks.filter(({ node }) => holdsChanges(node)).map(({ index }) => `[${index}]`)
  if (numbers.length === 0) return undefined
  const rest = numbers.length > longestList ? ` and ${numbers.length - longestList} more` : ''
  const where = `${numbers.slice(0, longestList).join(', ')}${rest}`
  return `(Suggested changes, shown as if accepted, are in ${numbers.length === 1 ? 'block' : 'blocks'} ${where}: read_changes lists them.)`
}

function goOn(page: Page, last: Block | undefined, view: DocumentView): string {
  const end = view.blocks.length - 1
  if (page.cutAt !== undefined) {
    return `(Block [${last?.index}] continues: read_document {"from": ${last?.index}, "offset": ${page.cutAt}}. The last block is [${end}].)`
  }
  const next = (last?.index ?? 0) + 1
  return `(More follows: read_document {"from": ${next}}. The last block is [${end}].)`
}
