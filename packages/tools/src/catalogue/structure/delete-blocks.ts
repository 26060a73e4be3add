import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { findBlockRange, oneOfBlockAndSection } from '../../edit/find/block-range.ts'
import { planDeleteBlocks } from '../../edit/structure/plan-delete-blocks.ts'
import { planDelete } from '../../edit/structure/plan-section.ts'
import { failure, type ToolFailure } from '../../common/result.ts'
import { listSections } from '../../document/sections.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { blockNumber, lastBlock, sectionNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  block: blockNumber.optional(),
  to: lastBlock.optional(),
  section: sectionNumber.optional(),
})

type Input = z.infer<typeof input>

/** Deletes whole blocks, or a section with its heading. */
export const deleteBlocks = defineTool({
  name: 'delete_blocks',
  description:
    'Deletes whole blocks (list items and table rows too), or a section with its heading. Items below a list item stay.',
  input,
  changes: true,
  activity: localizable`Deleting…`,
  handler(given, session, call) {
    return session.commit(call, (view) => plan(given, session, view))
  },
})

function plan({ block, to, section }: Input, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  if (section !== undefined && block === undefined && to === undefined) return planSection(section, session, view)
  if (section !== undefined || block === undefined) return oneOfBlockAndSection()
  const range = findBlockRange({ block, to }, session, view)
  return range.ok ? planDeleteBlocks(view, range) : range
}

function planSection(number: number, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  const resolved = session.resolveSection(number, view, { asRead: true })
  if (!resolved.ok) return resolved
  const sections = listSections(view)
  const section = sections[resolved.index]
  if (!section) {
    const last = sections.length - 1
    const hint = last < 1 ? 'The document has no section to delete.' : localizable`section can be 1 to ${last}.`
    return failure(
      'out_of_range',
      localizable`There is no section ${number}.`,
      localizable`${hint} get_document shows the sections.`,
    )
  }
  if (section.index > 0) return planDelete(view.doc, section)
  return failure(
    'invalid_operation',
    "Section 0, which holds the title, can't be deleted.",
    'Delete its blocks by their numbers, or replace it with update_section.',
  )
}
