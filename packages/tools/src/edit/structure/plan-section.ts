import { schema } from '@copydesk/schema'
import { serializeHtml } from '@copydesk/schema/html'
import type { Fragment, Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { shorten } from '../../common/result.ts'
import type { PlacedNode, Section } from '../../document/sections.ts'
import { blockText } from '../../document/blocks.ts'
import type { ChangePlan, DocumentUpdate } from '../../session/commit/commit.ts'
import { readInline } from '../content/inline-text.ts'
import { reviseSiblings } from '../blocks/revise-blocks.ts'
import { reviseInline } from '../blocks/revise-inline.ts'
import { localizable, nothingToChange, type Localizable } from '../../common/localizable.ts'

/** The new content of a section: the heading's text as inline markdown, and blocks. */
export type SectionContent = { title: string | undefined; blocks: Fragment }

/**
 * Plans a section's new content, and its new heading if there is a title: `h1` for section 0, else `h2`. Equal blocks
 * are kept; in matching blocks only the difference changes. Empty paragraphs, which reads don't show, are kept.
 */
export function planReplace(doc: Node, section: Section, content: SectionContent): ChangePlan {
  const transform = new Transform(doc)
  const nodes = section.nodes.filter(({ node }) => !isEmptyParagraph(node))
  reviseSiblings(transform, nodes, content.blocks.content, contentEnd(section, nodes))
  if (content.title !== undefined) setTitle(transform, section, content.title)
  const title = content.title ?? section.title
  const update = describe('replace', section.index, title, content.blocks)
  const message = `Replaced section ${section.index}${quoted(title)}.`
  const plan = finish(transform, message, update, section.title || 'section', section.from)
  return { ...plan, blockCount: countBlocks(content.blocks) }
}

// Text blocks outside tables, rows and leaf blocks, as a session numbers them.
function countBlocks(blocks: Fragment): number {
  return blocks.content.reduce((sum, node) => {
    const isOne = node.isTextblock || node.isLeaf || node.type.name === 'tableRow'
    return sum + (isOne ? 1 : countBlocks(node.content))
  }, 0)
}

// New content is inserted before empty paragraphs at the end.
function contentEnd(section: Section, nodes: readonly PlacedNode[]): number {
  const last = nodes.at(-1)
  const end = last ? last.pos + last.node.nodeSize : section.from
  const heading = section.headingPos === undefined ? 0 : section.headingPos + (section.heading?.nodeSize ?? 0)
  return Math.max(end, heading)
}

/** Sets the heading of a section: `h1` for section 0, else `h2`. In an existing heading only the difference changes. */
export function setTitle(transform: Transform, section: Section, title: string): void {
  const { content } = readInline(title)
  if (section.heading && section.headingPos !== undefined) {
    // Blocks before the heading, which only section 0 may have, may have changed already.
    reviseInline(transform, transform.mapping.map(section.headingPos), section.heading, content)
  } else transform.insert(section.from, headingOf(section.index === 0 ? 1 : 2, title))
}

function headingOf(level: number, title: string): Node {
  return schema.node('heading', { level }, readInline(title).content)
}

/** Plans a new section before the section with index `before`, else at the end; `sections` are all existing ones. */
export function planInsert(
  doc: Node,
  sections: readonly Section[],
  content: SectionContent & { title: string },
  operation: 'append' | 'insert',
  before: number | undefined,
): ChangePlan {
  const transform = new Transform(doc)
  const nodes = [headingOf(2, content.title), ...content.blocks.content]
  const next = before === undefined ? undefined : sections[before]
  const pos = next?.from ?? endOf(doc)
  transform.insert(pos, nodes)
  if (sections.length === 0) removeEmpty(transform, doc)
  const index = next?.index ?? Math.max(1, sections.length)
  const where = next ? `before section ${next.index}${quoted(next.title)}` : 'at the end'
  const update = describe(operation, index, content.title, content.blocks)
  const message = `Inserted section ${index}${quoted(content.title)} ${where}.`
  return finish(transform, message, update, '', transform.mapping.map(pos, -1))
}

// An empty paragraph at the end, which may contain a user's caret, remains the last block.
function endOf(doc: Node): number {
  const last = doc.lastChild
  return last && isEmptyParagraph(last) ? doc.content.size - last.nodeSize : doc.content.size
}

function removeEmpty(transform: Transform, doc: Node): void {
  const size = transform.doc.content.size
  const [only] = doc.children
  if (doc.childCount === 1 && only && isEmptyParagraph(only)) transform.delete(size - only.nodeSize, size)
}

/** Plans the removal of a section with its heading. */
export function planDelete(doc: Node, section: Section): ChangePlan {
  const transform = new Transform(doc)
  const isAll = section.from === 0 && section.to === doc.content.size
  if (isAll) transform.replaceWith(0, doc.content.size, schema.node('paragraph'))
  else transform.delete(section.from, section.to)
  const update = describe('delete', section.index, section.title)
  const message = `Deleted section ${section.index}${quoted(section.title)}.`
  const before = [section.title, ...section.blocks.map(({ node }) => blockText(node))].join('\n')
  return finish(transform, message, update, shorten(before, 500), Math.min(section.from, transform.doc.content.size))
}

function describe(
  operation: DocumentUpdate['operation'],
  sectionIndex: number,
  title: string,
  blocks?: Fragment,
): DocumentUpdate {
  const isEmpty = !blocks || blocks.childCount === 0
  const content = isEmpty ? '' : serializeHtml(schema.topNodeType.create(null, blocks)).trimEnd()
  return { operation, sectionIndex, title, ...(blocks ? { content } : {}) }
}

function finish(
  transform: Transform,
  message: string,
  update: DocumentUpdate,
  before: string,
  pos: number,
): ChangePlan {
  const { operation, sectionIndex, title = '' } = update
  if (transform.steps.length === 0) {
    const same = `Nothing to change: section ${sectionIndex}${quoted(title)} reads so already.`
    const details = { success: true, operation, sectionIndex, message: same }
    return { ok: true, transform, message: same, summary: nothingToChange, details, changes: [] }
  }
  const after = operation === 'delete' ? '' : shorten(title, 200) || 'section'
  return {
    ok: true,
    transform,
    update,
    message,
    summary: summaries[operation](shorten(title, 60)),
    details: { success: true, operation, sectionIndex, message },
    changes: [{ before, after, pos }],
  }
}

const added = (title: string) => (title === '' ? localizable`New section` : localizable`New section "${title}"`)
const summaries: Readonly<Record<DocumentUpdate['operation'], (title: string) => Localizable>> = {
  replace: (title) => (title === '' ? localizable`Rewrote section` : localizable`Rewrote section "${title}"`),
  append: added,
  insert: added,
  delete: (title) => (title === '' ? localizable`Deleted section` : localizable`Deleted section "${title}"`),
  insert_image: (title) => (title === '' ? localizable`Image in section` : localizable`Image in section "${title}"`),
}

function quoted(title: string): string {
  return title === '' ? '' : ` "${shorten(title, 200)}"`
}

function isEmptyParagraph(node: Node): boolean {
  return node.type.name === 'paragraph' && node.childCount === 0
}
