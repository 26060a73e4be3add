import type { Mark, Node } from 'prosemirror-model'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, success, type ToolFailure, type ToolResult } from '../../common/result.ts'
import { type Block, blockText, isVisible, visibleText, visibleTextOf } from '../../document/blocks.ts'
import type { Selected } from '../../session/host/caret.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { localizable } from '../../common/localizable.ts'

const contextLength = 200
const blockLength = 2_000
// Hidden text and block boundaries also count as positions, so more positions are searched.
const reach = 4 * contextLength

type Format = { type: string; level?: number; href?: string }

/**
 * Shows the caller's selection with its block, its formatting in the terms of `apply_formatting` and the text around
 * it. A caret is not a selection.
 */
export const readSelection = defineTool({
  name: 'read_selection',
  description: 'Shows what the person has selected, and its formatting.',
  input: z.object({}),
  changes: false,
  needs: 'selection',
  activity: localizable`Looking at the selection…`,
  handler(_input, session) {
    const read = session.view()
    if (!read.ok) return read
    const { view } = read
    const range = session.selection()
    if (!range || range.from === range.to) return nothingSelected(session, view, range?.from)
    const touched = view.blocks.filter(({ pos, node }) => pos < range.to && pos + node.nodeSize > range.from)
    const selected = visibleTextOf(view.doc, range.ranges)
    const first = touched[0]
    if (!first || (selected === '' && touched.every(({ kind }) => kind !== 'leaf'))) return onlyHidden(range, view)
    return report(session, view, { range, selected, touched, first })
  },
})

function nothingSelected(session: DocumentSession, view: DocumentView, caret: number | undefined): ToolFailure {
  const block = caret === undefined ? undefined : (view.blockAt(caret) ?? view.blockAt(caret - 1))
  const where = block ? ` The caret is in block [${session.show(block)}].` : ''
  return failure(
    'no_selection',
    localizable`${session.caller.name} has nothing selected.${where}`,
    'Ask them to select the text that they mean, or name it by a text or a block.',
  )
}

function onlyHidden(range: { from: number; to: number }, view: DocumentView): ToolFailure {
  const text = shorten(view.doc.textBetween(range.from, range.to, ' '), 200)
  return failure(
    'no_selection',
    text === ''
      ? 'The selection holds no text.'
      : localizable`The selected text is what a suggested change deletes: "${text}".`,
    'Look at the suggested changes with read_changes, or ask the person to select other text.',
  )
}

type Read = { range: Selected; selected: string; touched: readonly Block[]; first: Block }

function report(session: DocumentSession, view: DocumentView, { range, selected, touched, first }: Read): ToolResult {
  const limit = session.limits.readCharacters
  const block = session.show(first)
  const last = touched.at(-1)
  const lastBlock = last && last !== first ? session.show(last) : undefined
  const details = {
    selectedText: cut(selected, limit),
    block,
    ...(lastBlock === undefined ? {} : { lastBlock }),
    blockText: cut(blockText(first.node), blockLength),
    formatting: [...commonMarks(view.doc, range.ranges), ...blockFormats(view.doc, first)],
    before: visibleText(view.doc, Math.max(0, range.from - reach), range.from)
      .slice(-contextLength)
      .toWellFormed(),
    after: visibleText(view.doc, range.to, Math.min(view.doc.content.size, range.to + reach))
      .slice(0, contextLength)
      .toWellFormed(),
    ...(selected.length > limit ? { truncated: true } : {}),
  }
  const blocks = lastBlock === undefined ? `block [${block}]` : `blocks [${block}] to [${lastBlock}]`
  const more = details.truncated
    ? `\n(The selection has ${selected.length} characters; read_document {"from": ${block}} shows all of it.)`
    : ''
  const text = [
    `Selected in ${blocks}: "${details.selectedText}"${more}`,
    `Block [${block}]: ${details.blockText}`,
    `Formatting: ${details.formatting.map(nameFormat).join(', ')}`,
    `Before it: "${details.before}"`,
    `After it: "${details.after}"`,
  ]
  return success(text.join('\n'), localizable`Read the selection: "${shorten(selected, 60)}"`, details)
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const formats = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'link']

function commonMarks(doc: Node, ranges: Selected['ranges']): Format[] {
  let common: readonly Mark[] | undefined
  for (const { from, to } of ranges) {
    doc.nodesBetween(from, to, (node) => {
      if (!isVisible(node)) return false
      if (node.isText) common = common ? common.filter((mark) => mark.isInSet(node.marks)) : node.marks
      return true
    })
  }
  return (common ?? [])
    .filter((mark) => formats.includes(mark.type.name))
    .map(({ type, attrs }) => (type.name === 'link' ? { type: 'link', href: String(attrs.href) } : { type: type.name }))
}

// The type of the block itself, then its ancestors, from the inside out.
function blockFormats(doc: Node, block: Block): Format[] {
  const { node } = block
  const own: Format =
    node.type.name === 'heading' ? { type: 'heading', level: Number(node.attrs.level) } : { type: node.type.name }
  const $pos = doc.resolve(block.pos)
  const around: Format[] = []
  for (let depth = $pos.depth; depth > 0; depth--) {
    const { name } = $pos.node(depth).type
    if (name !== 'listItem' && name !== 'taskItem') around.push({ type: name })
  }
  return [own, ...around]
}

function nameFormat({ type, level, href }: Format): string {
  if (level !== undefined) return `${type} ${level}`
  return href === undefined ? type : `${type} to ${href}`
}
