import { Fragment } from 'prosemirror-model'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { findBlockRange, oneOfBlockAndSection } from '../../edit/find/block-range.ts'
import { planMove, planMoveBlocks } from '../../edit/structure/plan-move-blocks.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { listSections, type Section } from '../../document/sections.ts'
import { blockText } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident, blockNumber, lastBlock, sectionNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  block: blockNumber.optional(),
  to: lastBlock.optional(),
  section: sectionNumber.optional(),
  before: evident(z.number().int().min(0).optional(), 'The block (or section) to put it before.'),
  after: z.number().int().min(0).optional(),
})

type Input = z.infer<typeof input>
type Placement = 'before' | 'after'

/** Moves whole blocks, or a section with its heading, together with their comments and formats. */
export const moveBlocks = defineTool({
  name: 'move_blocks',
  description:
    'Moves blocks before or after a block, or a section before or after a section, with their comments. A list item takes those below it along.',
  input,
  changes: true,
  activity: localizable`Moving…`,
  handler(given, session, call) {
    return session.commit(call, (view) => plan(given, session, view))
  },
})

function plan(given: Input, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  const { block, to, section, before, after } = given
  const anchor = before ?? after
  if (anchor === undefined || (before !== undefined && after !== undefined)) {
    return failure('invalid_input', 'The destination is missing or double.', 'Give either before or after.')
  }
  const placement = before === undefined ? 'after' : 'before'
  if (section !== undefined && block === undefined && to === undefined) {
    return planSection({ section, anchor, placement }, session, view)
  }
  if (section !== undefined || block === undefined) return oneOfBlockAndSection()
  const source = findBlockRange({ block, to }, session, view)
  if (!source.ok) return source
  const target = session.resolve(anchor)
  if (!target.ok) return target
  return planMoveBlocks(view, source, { block: target.block, placement, name: `${placement} block [${anchor}]` })
}

function planSection(
  given: { section: number; anchor: number; placement: Placement },
  session: DocumentSession,
  view: DocumentView,
): ChangePlan | ToolFailure {
  const source = findSection(given.section, session, view)
  if (!source.ok) return source
  const target = findSection(given.anchor, session, view)
  if (!target.ok) return target
  const { placement } = given
  if (source.section.index === 0 || (target.section.index === 0 && placement === 'before')) return titleStays()
  const { from, to, title, heading, nodes } = source.section
  const text = [title, ...nodes.map(({ node }) => blockText(node))].join('\n')
  const pos = placement === 'before' ? target.section.from : target.section.to
  const content = Fragment.fromArray(childrenBetween(view, from, to))
  return planMove(
    view.doc,
    { from, to },
    { pos, content },
    {
      what: `section ${given.section}${heading ? ` "${shorten(title, 100)}"` : ''}`,
      where: `${placement} section ${given.anchor} "${shorten(target.section.title, 100)}"`,
      summary: localizable`Moved section "${shorten(title, 60)}"`,
      text,
    },
  )
}

function childrenBetween({ doc, starts }: DocumentView, from: number, to: number) {
  return doc.children.filter((_node, index) => (starts[index] ?? 0) >= from && (starts[index] ?? 0) < to)
}

function findSection(
  number: number,
  session: DocumentSession,
  view: DocumentView,
): { ok: true; section: Section } | ToolFailure {
  const resolved = session.resolveSection(number, view)
  if (!resolved.ok) return resolved
  const sections = listSections(view)
  const section = sections[resolved.index]
  if (section) return { ok: true, section }
  const hint = localizable`Sections are 0 to ${Math.max(0, sections.length - 1)}; get_document shows them.`
  return failure('out_of_range', localizable`There is no section ${number}.`, hint)
}

function titleStays(): ToolFailure {
  return failure(
    'invalid_operation',
    'Section 0, which holds the title, stays first.',
    'Move its blocks by their numbers, or another section after it.',
  )
}
