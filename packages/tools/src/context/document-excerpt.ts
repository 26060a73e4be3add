import { fencedFrontmatter } from '@copydesk/schema'
import { renderBlock } from '../render/render-block.ts'
import type { ToolFailure } from '../common/result.ts'
import type { Block } from '../document/blocks.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentView } from '../document/document-view.ts'

/** Blocks of a document as numbered lines of markdown; `isWhole` if these are all of its blocks. */
export type DocumentExcerpt = { text: string; isWhole: boolean }

/**
 * The part of a document that a system prompt shows: the whole document if it has at most `promptCharacters` characters
 * as markdown, else the blocks around `focus` that fit into half of that; without `focus` nothing. These blocks count
 * as shown.
 */
export function excerptDocument(
  session: DocumentSession,
  focus: Block | undefined,
): { ok: true; excerpt: DocumentExcerpt } | ToolFailure {
  const read = session.view()
  if (!read.ok) return read
  const { view } = read
  const limit = session.limits.promptCharacters
  const whole = blocksWithin(view, 0, limit)
  if (whole.length === view.blocks.length) {
    return { ok: true, excerpt: { text: frontmatterOf(view) + linesOf(whole, session, view), isWhole: true } }
  }
  const around = focus ? blocksAround(view, focus, limit / 2) : []
  return { ok: true, excerpt: { text: linesOf(around, session, view), isWhole: false } }
}

function blocksWithin(view: DocumentView, from: number, limit: number): readonly Block[] {
  let left = limit - (view.frontmatter?.length ?? 0)
  let end = from
  for (; end < view.blocks.length; end++) {
    left -= lengthOf(view, end)
    if (left < 0) break
  }
  return view.blocks.slice(from, end)
}

/** Adds blocks before and after the focus alternately; omits the focus itself if it alone is too long. */
function blocksAround(view: DocumentView, focus: Block, limit: number): readonly Block[] {
  let [first, end] = [focus.index, focus.index]
  let left = limit
  const fits = (index: number): boolean => {
    if (index < 0 || index >= view.blocks.length || lengthOf(view, index) > left) return false
    left -= lengthOf(view, index)
    return true
  }
  for (let grows = true; grows;) {
    grows = false
    if (fits(end)) [end, grows] = [end + 1, true]
    if (end > first && fits(first - 1)) [first, grows] = [first - 1, true]
  }
  return view.blocks.slice(first, end)
}

function lengthOf(view: DocumentView, index: number): number {
  const block = view.blocks[index]
  return block ? renderBlock(view.doc, block).length + `[${index}] \n`.length : 0
}

function linesOf(blocks: readonly Block[], session: DocumentSession, view: DocumentView): string {
  return blocks.map((block) => `[${session.show(block)}] ${renderBlock(view.doc, block)}`).join('\n')
}

function frontmatterOf({ frontmatter }: DocumentView): string {
  return frontmatter === null ? '' : `[frontmatter]\n---\n${fencedFrontmatter(frontmatter)}\n---\n`
}
