import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { listSections, type Section } from '../../document/sections.ts'
import { characterIds, countShared, type StoredIds } from './character-ids.ts'
import { type CoordinateTable, findRemembered, rememberBlock } from './coordinates.ts'
import type { DocumentView } from '../../document/document-view.ts'

/** Records the meaning of these sections' numbers; `all` makes all other numbers stale. */
export function showSections(
  sections: readonly Section[],
  all: boolean,
  view: DocumentView,
  table: CoordinateTable,
): void {
  if (all) table.clearSections()
  for (const section of sections) {
    const heading = section.headingPos === undefined ? undefined : view.blockAt(section.headingPos)
    table.setSection(section.index, { heading: heading ? rememberBlock(heading) : null, ids: idsOf(section) })
  }
}

function idsOf({ blocks }: Section): StoredIds[] {
  return blocks.flatMap(({ type }) => (type ? characterIds(type) : []))
}

export type Resolving = {
  /** Also fails if others have changed the section since it was shown. */
  asRead: boolean
  /** The Yjs client of the session itself, whose own text is ignored. */
  own: number
}

/**
 * The current number of the section that was shown under a number; the same number if no section was ever shown under
 * it. `stale` if its heading was deleted, or no longer begins a section.
 */
export function resolveSection(
  index: number,
  view: DocumentView,
  table: CoordinateTable,
  { asRead, own }: Resolving,
): { ok: true; index: number } | ToolFailure {
  const shown = table.section(index)
  if (shown === undefined) return { ok: true, index }
  if (shown === 'forgotten') return stale(`The sections have new numbers, and none has the number ${index} now.`)
  const sections = listSections(view)
  // Section 0 is always the beginning of the document, whatever its title.
  const heading = shown.heading === null || index === 0 ? undefined : findRemembered(shown.heading, view)
  const section =
    index === 0 || shown.heading === null
      ? sections[index]
      : heading && sections.find(({ headingPos }) => headingPos === heading.pos)
  const name = shown.heading ? `Section ${index}, "${shorten(shown.heading.text, 80)}",` : `Section ${index}`
  if (!section) {
    return index === 0 ? { ok: true, index } : stale(`${name} is gone or has another heading since it was shown.`)
  }
  if (asRead && hasUnreadText(section, shown.ids, own)) return stale(`${name} has been written in since it was shown.`)
  return { ok: true, index: section.index }
}

function stale(message: string): ToolFailure {
  return failure(
    'stale',
    message,
    'Look at the sections again with get_document, then repeat the call with the current text.',
  )
}

function hasUnreadText(section: Section, known: readonly StoredIds[], own: number): boolean {
  return idsOf(section).some((range) => range[0] !== own && countShared([range], known) < range[2])
}
