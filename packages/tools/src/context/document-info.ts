import type { Node } from 'prosemirror-model'
import { detectLanguages } from '../text/languages.ts'
import { blockText, countWords, isVisible, visibleTextOf } from '../document/blocks.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { SessionMode } from '../session/host/session-options.ts'
import type { DocumentView } from '../document/document-view.ts'
import { shorten, type ToolFailure } from '../common/result.ts'
import { listSections } from '../document/sections.ts'

/** Facts about a document as a whole. `selection` is null when nothing is selected; a caret has empty text. */
export type DocumentInfo = {
  title: string
  blocks: number
  sections: number
  words: number
  characters: number
  /** The English names of the languages in which most of the text is written. */
  languages: string[]
  codeLanguages: string[]
  selection: SelectionInfo | null
  people: { name: string; kind: string }[]
  mode: SessionMode
  canEdit: boolean
  frontmatterKeys: string[]
}

/**
 * The visible text of the selection, cut at `selectionPreview` characters, its whole length, and the numbers of the
 * blocks that it touches: `block` is the first one.
 */
export type SelectionInfo = { text: string; length: number; block: number; blocks: number[] }

/** The amount of visible text; characters are UTF-16 units without line ends. */
type Size = { words: number; characters: number }

const measured = new WeakMap<Node, Size>()

/** Words and characters of a document. The size of each unchanged node is cached. */
export function measureDocument(view: DocumentView): Size {
  return measure(view.doc)
}

function measure(node: Node): Size {
  const known = measured.get(node)
  if (known) return known
  const size = { words: 0, characters: 0 }
  if (node.isTextblock || node.type.name === 'tableRow') {
    size.words = countWords(node)
    size.characters = blockText(node).length
  } else {
    for (const child of node.children) {
      if (child.isLeaf || !isVisible(child)) continue
      const part = measure(child)
      size.words += part.words
      size.characters += part.characters
    }
  }
  measured.set(node, size)
  return size
}

/** The title in the document's `meta`, else its first `h1`; empty if there is neither. */
export function documentTitle(session: DocumentSession, view: DocumentView): string {
  const title = session.title()
  if (title !== '') return title
  const heading = view.blocks.find(({ node }) => node.type.name === 'heading' && node.attrs.level === 1)
  return heading ? shorten(blockText(heading.node), 200) : ''
}

/** Measures and describes the current document. The block of the selection counts as shown, so it gets a number. */
export function documentInfo(session: DocumentSession): { ok: true; info: DocumentInfo } | ToolFailure {
  const read = session.view()
  if (!read.ok) return read
  const { view } = read
  const code = view.blocks.filter(({ node }) => node.type.spec.code === true)
  const prose = view.blocks.filter(({ node }) => node.type.spec.code !== true)
  const codeLanguages = code.flatMap(({ node }) => (typeof node.attrs.language === 'string' ? node.attrs.language : []))
  const info = {
    title: documentTitle(session, view),
    blocks: view.blocks.length,
    sections: listSections(view).length,
    ...measureDocument(view),
    languages: detectLanguages(prose.map(({ node }) => blockText(node))),
    codeLanguages: [...new Set(codeLanguages)].filter((language) => language !== ''),
    selection: describeSelection(session, view),
    people: session.people(),
    mode: session.mode,
    canEdit: session.canEdit,
    frontmatterKeys: frontmatterKeys(view.frontmatter),
  }
  return { ok: true, info }
}

function describeSelection(session: DocumentSession, view: DocumentView): DocumentInfo['selection'] {
  const selection = session.selection()
  const block = selection && view.blockAt(selection.from)
  if (!selection || !block) return null
  const { from, to, ranges } = selection
  const text = visibleTextOf(view.doc, ranges)
  const limit = session.limits.selectionPreview
  const shown = text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text
  const touched = view.blocks.filter(({ pos, node }) => pos < to && pos + node.nodeSize > from)
  const blocks = (touched.length > 0 ? touched : [block]).map((each) => session.show(each))
  return { text: shown, length: text.length, block: blocks[0] ?? session.show(block), blocks }
}

function frontmatterKeys(yaml: string | null): string[] {
  return [...(yaml ?? '').matchAll(/^(?:"([^"]+)"|'([^']+)'|([^\s#:'"-][^:\n]*?))\s*:(?=\s|$)/gm)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}

/**
 * One heading of the outline; `block` is its number in the session, `words` is the number of words between it and the
 * next heading of the outline.
 */
export type OutlineHeading = { level: number; text: string; block: number; words: number }

/**
 * The headings of the document for a system prompt, `outlineHeadings` at most: deeper levels are omitted first, then
 * the last ones. `omitted` is the number of omitted headings. The listed headings count as shown: calls can use their
 * numbers.
 */
export function summarizeOutline(
  session: DocumentSession,
): { ok: true; headings: OutlineHeading[]; omitted: number } | ToolFailure {
  const read = session.view()
  if (!read.ok) return read
  const { blocks } = read.view
  const all = blocks.filter(({ node }) => node.type.name === 'heading')
  const limit = session.limits.outlineHeadings
  let headings = all
  for (let level = 6; level > 2 && headings.length > limit; level--) {
    headings = headings.filter(({ node }) => Number(node.attrs.level) < level)
  }
  const kept = headings.slice(0, limit)
  const shown = kept.map((block, at) => {
    const { node, index } = block
    const below = blocks.slice(index + 1, kept[at + 1]?.index ?? blocks.length)
    const words = below.reduce((sum, each) => sum + countWords(each.node), 0)
    return { level: Number(node.attrs.level), text: shorten(blockText(node), 120), block: session.show(block), words }
  })
  return { ok: true, headings: shown, omitted: all.length - shown.length }
}
