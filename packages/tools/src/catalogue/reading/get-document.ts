import { serializeHtml } from '@copydesk/schema/html'
import { firstIndex } from '@copydesk/schema/ids'
import { serializeMarkdown } from '@copydesk/schema/markdown'
import { Fragment, type Node } from 'prosemirror-model'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { withoutReferences } from '../../render/readable.ts'
import { failure, shorten, success, type ToolResult } from '../../common/result.ts'
import { listSections, type PlacedNode, type Section } from '../../document/sections.ts'
import { type Block, blockText } from '../../document/blocks.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { continueFrom, sectionNumber } from '../../tool/fields.ts'
import { counted, inEnglish, localizable } from '../../common/localizable.ts'

const input = z.object({
  format: z.enum(['markdown', 'html']).optional(),
  section: sectionNumber.optional(),
  from: continueFrom.optional(),
})

type Format = 'markdown' | 'html'

/** A section of the result; `continuation` is the first block whose content was omitted. */
type Shown = { index: number; title: string; content: string; continuation?: Block }

/**
 * Shows the document section by section, in markdown or HTML, each section without its heading. Above `readCharacters`
 * in total only titles and sizes are shown, and one section at a time. Suggested changes count as accepted.
 */
export const getDocument = defineTool({
  name: 'get_document',
  description:
    'Shows sections, or one: 0 is what precedes the first heading 2, each heading 2 starts the next. Use it before update_section.',
  input,
  changes: false,
  activity: localizable`Reading…`,
  handler({ format = 'markdown', section: sectionIndex, from }, session) {
    const read = session.view()
    if (!read.ok) return read
    const { view } = read
    const sections = listSections(view)
    if (sectionIndex === undefined) {
      session.showSections(sections, true)
      if (from !== undefined && from > 0) return overviewFrom(from, sections, session)
      return showAll(sections, view, format, session)
    }
    const resolved = session.resolveSection(sectionIndex, view)
    if (!resolved.ok) return resolved
    const section = sections[resolved.index]
    if (!section) return noSection(sectionIndex, sections.length)
    session.showSections([section], section.index !== sectionIndex)
    return report([showSection(section, view, format, session.limits.readCharacters)], sections.length, session)
  },
})

function noSection(index: number, count: number): ToolResult {
  const valid = count === 0 ? 'The document is empty; it has no sections.' : `sectionIndex can be 0 to ${count - 1}.`
  return failure('out_of_range', localizable`There is no section ${index}.`, valid)
}

function showAll(sections: readonly Section[], view: DocumentView, format: Format, session: DocumentSession) {
  const limit = session.limits.readCharacters
  if (sections.length === 0)
    return success('The document is empty.', localizable`Read the document`, { sections, totalSections: 0 })
  // Estimates sizes first, so that a long document isn't serialized only to be discarded.
  const sizes = sections.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > limit) return overview(sections, sizes, session)
  const shown = sections.map(({ index, title, nodes }) => ({
    index,
    title,
    content: writeNodes(view.doc, nodes, format),
  }))
  const result = report(shown, sections.length, session)
  return result.text.length > limit + limit / 8 ? overview(sections, sizes, session) : result
}

function sizeOf({ blocks }: Section): number {
  return blocks.reduce((sum, { node }) => sum + blockText(node).length, 0)
}

function overviewFrom(from: number, sections: readonly Section[], session: DocumentSession): ToolResult {
  if (from >= sections.length) return noSection(from, sections.length)
  return overview(sections, sections.map(sizeOf), session, from)
}

function overview(
  sections: readonly Section[],
  sizes: readonly number[],
  session: DocumentSession,
  from = 0,
): ToolResult {
  const lines: string[] = []
  const shown: { index: number; title: string; characters: number }[] = []
  let length = 0
  for (const section of sections.slice(from)) {
    const { index, title, blocks } = section
    const characters = sizes[index] ?? 0
    const place = blocks[0] ? `, from block [${session.show(blocks[0])}] on` : ''
    const line = `${nameOf(index, title)}: ${characters} ${characters === 1 ? 'character' : 'characters'}${place}`
    if (lines.length > 0 && length + line.length + 1 > session.limits.readCharacters) break
    lines.push(line)
    shown.push({ index, title: shorten(title, 200), characters })
    length += line.length + 1
  }
  const next = from + lines.length
  const more = next < sections.length ? `\n…and ${sections.length - next} more: get_document {"from": ${next}}` : ''
  const text = `${countOf(sections.length)}, too long to show at once:\n${lines.join('\n')}${more}`
  return success(
    `${text}\n\n(Read one with get_document {"sectionIndex": n}.)`,
    localizable`Read ${counted(sections.length, 'section')}`,
    {
      sections: shown,
      totalSections: sections.length,
    },
  )
}

// As many whole top-level nodes as fit; if the first node doesn't fit, its beginning, in markdown.
function showSection(section: Section, view: DocumentView, format: Format, limit: number): Shown {
  const { index, title, nodes } = section
  const write = (count: number): string => writeNodes(view.doc, nodes.slice(0, count), format)
  let most = 0
  for (let length = 0; most < nodes.length; most++) {
    const node = nodes[most]
    length += node ? writeNodes(view.doc, [node], format).length : 0
    if (length > limit) break
  }
  // Separators between nodes also count, so some of the last nodes may not fit.
  const counts = nodes.slice(0, most).map((_, index) => index + 1)
  const count = firstIndex(counts, (each) => write(each).length > limit)
  const rest = nodes[count]
  if (!rest) return { index, title, content: write(count) }
  const continuation = section.blocks.find(({ pos }) => pos >= rest.pos)
  if (count > 0 || format === 'html')
    return { index, title, content: write(count), ...(continuation ? { continuation } : {}) }
  const first = writeNodes(view.doc, [rest], format).slice(0, limit)
  return { index, title, content: first.replace(/[\uD800-\uDBFF]$/, ''), ...(continuation ? { continuation } : {}) }
}

function report(shown: readonly Shown[], total: number, session: DocumentSession): ToolResult {
  const parts = shown.map(({ index, title, content, continuation }) => {
    const rest =
      continuation === undefined
        ? ''
        : `\n\n(The section is too long to show at once and continues: read_document {"from": ${session.show(continuation)}}.)`
    return `=== ${nameOf(index, title)} ===\n${content.trimEnd() || '(no content)'}${rest}`
  })
  const summary =
    shown.length === total
      ? localizable`Read ${counted(total, 'section')}`
      : localizable`Read section ${shown[0]?.index ?? 0} of ${total}`
  return success(`${countOf(total)}.\n\n${parts.join('\n\n')}`, summary, {
    sections: shown.map(({ continuation, ...section }) =>
      continuation === undefined ? section : { ...section, truncated: true },
    ),
    totalSections: total,
  })
}

function nameOf(index: number, title: string): string {
  return `Section ${index}: ${shorten(title, 200) || '(no heading)'}`
}

function countOf(total: number): string {
  return inEnglish(counted(total, 'section'))
}

function writeNodes(doc: Node, nodes: readonly PlacedNode[], format: Format): string {
  if (nodes.length === 0) return ''
  const part = doc.copy(Fragment.from(nodes.map(({ node }) => node)))
  const written =
    format === 'html'
      ? serializeHtml(part, { changes: 'accepted' })
      : serializeMarkdown(part, null, { changes: 'accepted' })
  const readable = format === 'html' || part.textContent.includes('&#x') ? written : withoutReferences(written)
  return readable.replace(/\n$/, '')
}
