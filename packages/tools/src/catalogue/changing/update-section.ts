import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import { Fragment } from 'prosemirror-model'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { headingText } from '../../edit/content/heading-text.ts'
import { readInline } from '../../edit/content/inline-text.ts'
import { planDelete, planInsert, planReplace, type SectionContent } from '../../edit/structure/plan-section.ts'
import { readHtml } from '../../edit/content/read-html.ts'
import {
  failure,
  shorten,
  success,
  type ToolFailure,
  tooLong,
  type ToolResult,
  type ToolSuccess,
} from '../../common/result.ts'
import { isHtml } from '../../edit/content/html.ts'
import { listSections, type Section } from '../../document/sections.ts'
import { blockText } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  operation: z
    .enum(['replace', 'append', 'insert', 'delete'])
    .describe('append: a new one at the end. insert: a new one before section.'),
  section: evident(z.number().int().min(0).optional(), 'As get_document numbers them; not for append.'),
  title: evident(z.string().optional(), 'Heading, without #.'),
  content: evident(z.string().optional(), 'Without the heading.'),
  format: z.enum(['markdown', 'html']).optional(),
})

type Input = z.infer<typeof input>

/** Changes whole sections. With `replace`, equal content is unchanged, including its comments and carets. */
export const updateSection = defineTool({
  name: 'update_section',
  description: 'Rewrites, adds or removes a whole section. Read it first: content that stays must be given again.',
  input,
  changes: true,
  streams: 'content',
  activity: ({ title }) => (title === undefined ? localizable`Working on a section…` : activityOn('Working on', title)),
  handler(given, session, call) {
    const refused = checkInput(given, session)
    if (refused) return refused
    const result = session.commit(call, (view) => {
      if (given.section === undefined) return plan(given, view)
      const takesAway = given.operation === 'replace' || given.operation === 'delete'
      const resolved = session.resolveSection(given.section, view, { asRead: takesAway })
      return resolved.ok ? plan({ ...given, section: resolved.index }, view) : resolved
    })
    return result.ok && result.details !== undefined ? withSections(result, session) : result
  },
})

/** Appends the current sections to the result; section numbers of later calls refer to this list. */
function withSections(result: ToolSuccess, session: DocumentSession): ToolResult {
  const read = session.view()
  if (!read.ok) return result
  const sections = listSections(read.view)
  session.showSections(sections, true)
  const titles = sections.map(({ index, title }) => ({ index, title }))
  const names = titles.map(({ index, title }) => (title === '' ? `${index}` : `${index} "${shorten(title, 80)}"`))
  const list = names.length > 0 ? `Sections now: ${names.join(', ')}.` : 'The document is empty now.'
  return success(`${result.text}\n${list}`, result.localizable ?? result.summary, {
    ...Object(result.details),
    sections: titles,
  })
}

function checkInput({ operation, section, title, content }: Input, session: DocumentSession) {
  const adds = operation === 'append' || operation === 'insert'
  const isUntitled = title === undefined || headingText(title) === ''
  if (adds && isUntitled) return missing(operation, 'title', 'the text of the new heading')
  if (operation !== 'delete' && content === undefined)
    return missing(operation, 'content', 'the text below the heading')
  if (operation !== 'append' && section === undefined) return missing(operation, 'section', 'the section, from 0')
  const limit = session.limits.insertCharacters
  if ((content?.length ?? 0) + (title?.length ?? 0) <= limit) return undefined
  return tooLong('content', limit, 'Give a first part, and add the rest with insert_text.')
}

function missing(operation: string, field: string, what: string): ToolFailure {
  return failure('invalid_input', localizable`${operation} needs ${field}.`, localizable`${field}: ${what}.`)
}

function plan(given: Input, view: DocumentView): ChangePlan | ToolFailure {
  const sections = listSections(view)
  const index = given.section
  switch (given.operation) {
    case 'append':
      return insertSection(given, view, sections, undefined)
    case 'insert':
      if (index === 0 && sections.length > 0) return beforeTitle()
      if (index === sections.length || index === 0) return insertSection(given, view, sections, undefined)
      return (index !== undefined && outOfRange(index, sections, true)) || insertSection(given, view, sections, index)
    case 'replace': {
      // An empty document has only section 0, without content.
      const section = index === 0 ? (sections[0] ?? emptySection) : sections[index ?? -1]
      return section
        ? replaceSection(given, view, section)
        : (outOfRange(index ?? -1, sections, false) ?? beforeTitle())
    }
    case 'delete': {
      const section = sections[index ?? -1]
      if (index === 0) return keepTitle()
      return section ? planDelete(view.doc, section) : (outOfRange(index ?? -1, sections, false) ?? keepTitle())
    }
  }
}

const emptySection: Section = { index: 0, title: '', from: 0, to: 0, nodes: [], blocks: [] }

function insertSection(given: Input, view: DocumentView, sections: readonly Section[], before: number | undefined) {
  const title = headingText(given.title ?? '')
  const content = readContent(given, title, 2)
  const operation = given.operation === 'insert' ? 'insert' : 'append'
  return planInsert(view.doc, sections, { title, blocks: content.blocks }, operation, before)
}

function replaceSection(given: Input, view: DocumentView, section: Section): ChangePlan {
  const title = given.title === undefined ? '' : headingText(given.title)
  const content = readContent(given, title || section.title, section.index === 0 ? 1 : 2)
  return planReplace(view.doc, section, { title: title || content.title, blocks: content.blocks })
}

// Models often repeat the heading at the start of the content: it is removed, and becomes the title if it differs.
function readContent(given: Input, title: string, level: number): SectionContent {
  const source = given.content ?? ''
  const blocks =
    given.format === 'html' || (given.format === undefined && isHtml(source))
      ? readHtml(source)
      : parseMarkdownFragment(source)
  const [first] = blocks.content
  if (first?.type.name !== 'heading') return { title: undefined, blocks }
  const text = blockText(first).replace(/\s+/g, ' ').trim()
  const isSame = text.toLowerCase() === readInline(title).text.trim().toLowerCase()
  const isRenamed = given.operation === 'replace' && given.title === undefined && first.attrs.level === level
  if (!isSame && !isRenamed) return { title: undefined, blocks }
  const rest = Fragment.fromArray(blocks.content.slice(1))
  return { title: isRenamed && !isSame ? text : undefined, blocks: rest }
}

function outOfRange(index: number, sections: readonly Section[], isInsert: boolean): ToolFailure | undefined {
  if (index >= 0 && index < sections.length) return undefined
  const last = sections.length - (isInsert ? 0 : 1)
  return failure(
    'out_of_range',
    localizable`There is no section ${index}.`,
    sections.length === 0
      ? 'The document is empty; add a section with operation append.'
      : localizable`section can be ${isInsert ? 1 : 0} to ${last}. get_document shows the sections.`,
  )
}

function beforeTitle(): ToolFailure {
  return failure(
    'invalid_operation',
    'Nothing can be inserted before section 0, which holds the title.',
    'Insert before section 1, or change section 0 with replace.',
  )
}

function keepTitle(): ToolFailure {
  return failure(
    'invalid_operation',
    "Section 0, which holds the title, can't be deleted.",
    'Replace it with empty content instead; its heading stays.',
  )
}
