import { longestTitle } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { headingText } from '../../edit/content/heading-text.ts'
import { readInline } from '../../edit/content/inline-text.ts'
import { setTitle as setHeading } from '../../edit/structure/plan-section.ts'
import { failure, shorten } from '../../common/result.ts'
import { listSections, type Section } from '../../document/sections.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident } from '../../tool/fields.ts'
import { localizable, nothingToChange } from '../../common/localizable.ts'

const input = z.object({ title: evident(z.string(), 'Without #.') })

/**
 * Sets the title: the first heading 1, which is added if there is none. The document's name in lists is changed too if
 * it was equal to the old title, or if there was no heading.
 */
export const setTitle = defineTool({
  name: 'set_title',
  description: 'Sets the title of the document, its first heading 1.',
  input,
  changes: true,
  activity: ({ title }) => activityOn('Setting the title to', title),
  handler(given, session, call) {
    const title = headingText(given.title)
    if (title === '') return failure('invalid_input', 'title is empty.', 'title: the text of the new title.')
    if (title.length > longestTitle) {
      return failure(
        'too_large',
        localizable`title is longer than ${longestTitle} characters.`,
        'Give a shorter title.',
      )
    }
    return session.commit(call, (view) => plan(title, session.title(), view))
  },
})

const emptySection: Section = { index: 0, title: '', from: 0, to: 0, nodes: [], blocks: [] }

function plan(title: string, name: string, view: DocumentView): ChangePlan {
  const section = listSections(view)[0] ?? emptySection
  const transform = new Transform(view.doc)
  setHeading(transform, section, title)
  const plain = readInline(title).text
  const follows = !section.heading || name.trim() === section.title.trim()
  const isRenamed = follows && name !== plain
  if (transform.steps.length === 0 && !isRenamed) {
    const message = `Nothing to change: the title is "${title}" already.`
    return { ok: true, transform, message, summary: nothingToChange, changes: [] }
  }
  const before = section.heading ? section.title : name
  return {
    ok: true,
    transform,
    ...(isRenamed ? { title: plain } : {}),
    message: `Set the title to "${title}".`,
    summary: localizable`${shorten(before, 60) || localizable`(no title)`} → ${shorten(plain, 60)}`,
    changes: [{ before, after: plain, pos: transform.mapping.map(section.headingPos ?? section.from, -1) }],
  }
}
