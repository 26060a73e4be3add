import { fencedFrontmatter } from '@copydesk/schema'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { documentTitle, measureDocument } from '../../context/document-info.ts'
import { renderBlock } from '../../render/render-block.ts'
import { failure, success, type ToolFailure, type ToolResult } from '../../common/result.ts'
import { type Block, holdsChanges } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { noteTyping } from '../../session/commit/typing.ts'
import { cutText, wholePairs } from '../../text/window.ts'
import { evident, blockNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  from: evident(blockNumber.optional(), 'First block; 0 by default.'),
  to: evident(blockNumber.optional(), 'Last block, inclusive.'),
  offset: evident(z.number().int().min(0).optional(), 'Where to go on in a block too long for one call.'),
})

const nothingLeft = '(Suggested changes delete everything in the document; read_changes lists them.)'

type Page = { lines: string[]; blocks: Block[]; cutAt: number | undefined }

/** Shows the document block by block, at most `readCharacters` per call, each block with its number in the session. */
export const readDocument = defineTool({
  name: 'read_document',
  description: 'Reads blocks as [n] text. Use it before you change what you have not seen.',
  input,
  changes: false,
  activity: localizable`Reading…`,
  handler({ from = 0, to, offset = 0 }, session) {
    const read = session.view()
    if (!read.ok) return read
    const { view } = read
    if (view.blocks.length === 0)
      return success(`${header(session, view)}\n\n${nothingLeft}`, localizable`Read the document`)
    const start = from === 0 ? 0 : session.readStart(from)
    if (start === undefined || start >= view.blocks.length) return noBlock(from, session, view)
    const end = view.blocks.length - 1
    const last = to === undefined ? end : (session.readStart(to) ?? (to < from ? -1 : end))
    if (last < start) return beforeStart(from, to, session, view)
    const page = takePage(start, last, offset, session, view, start === 0 ? header(session, view).length : 0)
    if (page.blocks.length === 0) return offsetBeyond(start, offset, session, view)
    return report(page, { isFirst: start === 0 && offset === 0, last }, session, view)
  },
})

function noBlock(from: number, session: DocumentSession, view: DocumentView): ToolFailure {
  return failure(
    'out_of_range',
    localizable`There is no block ${from}.`,
    localizable`The document has ${extent(session, view)}.`,
  )
}

function beforeStart(from: number, to: number | undefined, session: DocumentSession, view: DocumentView): ToolFailure {
  return failure(
    'invalid_input',
    localizable`to (${to ?? ''}) is before from (${from}).`,
    localizable`to: a block from [${from}] on. The document has ${extent(session, view)}.`,
  )
}

function extent(session: DocumentSession, { blocks }: DocumentView): string {
  const last = blocks.at(-1)
  const count = `${blocks.length} ${blocks.length === 1 ? 'block' : 'blocks'}`
  return last ? `${count}, the last is [${session.show(last)}]` : count
}

function offsetBeyond(start: number, offset: number, session: DocumentSession, view: DocumentView): ToolFailure {
  const block = view.blocks[start]
  const length = block ? renderBlock(view.doc, block).length : 0
  return failure(
    'out_of_range',
    localizable`Block [${block ? session.show(block) : start}] ends before offset ${offset}.`,
    localizable`offset can be 0 to ${length - 1} there.`,
  )
}

function takePage(
  start: number,
  last: number,
  offset: number,
  session: DocumentSession,
  view: DocumentView,
  before: number,
): Page {
  const limit = session.limits.readCharacters
  const page: Page = { lines: [], blocks: [], cutAt: undefined }
  let length = before
  for (let index = start; index <= last; index++) {
    const block = view.blocks[index]
    if (!block) break
    const skipped = index === start ? offset : 0
    const rendered = renderBlock(view.doc, block)
    if (skipped > 0 && skipped >= rendered.length) break
    const [number] = session.showRead([block])
    const prefix = `[${number}] ${skipped > 0 ? '…' : ''}`
    const text = rendered.slice(skipped)
    // The limit applies to the printed text: the number and the line break also count.
    if (page.lines.length > 0 && length + prefix.length + text.length + 1 > limit) break
    page.blocks.push(block)
    const cut = text.length > limit ? wholePairs(text.slice(0, limit)) : text
    page.lines.push(prefix + cut)
    length += prefix.length + cut.length + 1
    if (cut === text) continue
    page.cutAt = skipped + cut.length
    break
  }
  return page
}

type Asked = { isFirst: boolean; last: number }

function report(page: Page, { isFirst, last }: Asked, session: DocumentSession, view: DocumentView): ToolResult {
  const end = page.blocks.at(-1)
  const parts: string[] = []
  if (isFirst) parts.push(header(session, view))
  parts.push(page.lines.join('\n'))
  const typing = noteTyping(session.typing(), page.blocks, (block) => session.show(block))
  for (const note of [noteOrder(page.blocks, session), noteChanges(page.blocks, session), typing]) {
    if (note) parts.push(note)
  }
  const more = describeContinuation(page, last, session, view)
  if (more) parts.push(more)
  const isWhole = !more && page.blocks.length === view.blocks.length
  const summary = isWhole
    ? localizable`Read the document`
    : localizable`Read ${page.blocks.length} of ${view.blocks.length} blocks`
  return success(parts.join('\n\n'), summary, {
    from: page.blocks[0] ? session.show(page.blocks[0]) : 0,
    to: end ? session.show(end) : 0,
    blocks: view.blocks.length,
  })
}

function header(session: DocumentSession, view: DocumentView): string {
  const { words } = measureDocument(view)
  const count = view.blocks.length
  const size = `${count} ${count === 1 ? 'block' : 'blocks'}, ${words} ${words === 1 ? 'word' : 'words'}`
  const yaml =
    view.frontmatter === null ? '' : `\n\n[frontmatter]\n---\n${frontmatterOf(view.frontmatter, session)}\n---`
  const open = holdsChanges(view.doc) ? '\nSuggested changes are open: read_changes lists them.' : ''
  return `Title: ${documentTitle(session, view) || '(none)'}\n${size}${open}${yaml}`
}

function frontmatterOf(yaml: string, session: DocumentSession): string {
  const text = fencedFrontmatter(yaml)
  const limit = Math.floor(session.limits.readCharacters / 2)
  if (text.length <= limit) return text
  return `${cutText(text, limit)}\n(${text.length - limit} more characters; edit_document with block "frontmatter" finds text in all of it.)`
}

const longestList = 20

// Numbers are names, not an order: a model that sees [41] between [5] and [6] must not consider it an error.
function noteOrder(blocks: readonly Block[], session: DocumentSession): string | undefined {
  const numbers = session.showRead(blocks)
  const isOrdered = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0))
  return isOrdered
    ? undefined
    : '(Numbers are names of blocks, not positions: blocks that were added or moved later have other numbers.)'
}

// A separate note, because a model would read marks in the lines as text.
function noteChanges(blocks: readonly Block[], session: DocumentSession): string | undefined {
  const changed = blocks.filter(({ node }) => holdsChanges(node))
  if (changed.length === 0) return undefined
  const rest = changed.length > longestList ? ` and ${changed.length - longestList} more` : ''
  const numbers = changed.slice(0, longestList).map((block) => `[${session.show(block)}]`)
  const where = `${numbers.join(', ')}${rest}`
  return `(Suggested changes, shown as if accepted, are in ${changed.length === 1 ? 'block' : 'blocks'} ${where}: read_changes lists them.)`
}

// Returns the hint for reading the rest, and records the end of this part.
function describeContinuation(
  page: Page,
  last: number,
  session: DocumentSession,
  view: DocumentView,
): string | undefined {
  const end = page.blocks.at(-1)
  const bottom = view.blocks.at(-1)
  session.stopRead()
  if (!end || !bottom) return undefined
  const ending = (): string => `The last block is [${session.show(bottom)}].`
  const number = session.show(end)
  if (page.cutAt !== undefined) {
    return `(Block [${number}] continues: read_document {"from": ${number}, "offset": ${page.cutAt}}. ${ending()})`
  }
  const next = end.index < last ? view.blocks[end.index + 1] : undefined
  if (!next) return undefined
  const from = session.show(next)
  session.stopRead(end, from)
  return `(More follows: read_document {"from": ${from}}. ${ending()})`
}
