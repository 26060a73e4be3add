import { failure, shorten, type ToolFailure } from '../result.ts'
import { listSections, type Section } from '../sections.ts'
import { type CoordinateTable, findRemembered } from './coordinates.ts'
import type { DocumentView } from './document-view.ts'

/** Notes what the numbers of these sections mean; `all` forgets every other number. */
export function showSections(
  sections: readonly Section[],
  all: boolean,
  view: DocumentView,
  table: CoordinateTable,
): void {
  if (all) table.clearSections()
  for (const { index, headingPos } of sections) {
    table.setSection(index, headingPos === undefined ? undefined : view.blockAt(headingPos))
  }
}

/**
 * The number that a section has now which was shown under this one; the same if it was never shown. `stale` if its heading is gone, or
 * begins no section any more.
 */
export function resolveSection(
  index: number,
  view: DocumentView,
  table: CoordinateTable,
): { ok: true; index: number } | ToolFailure {
  const heading = table.sectionHeading(index)
  // Section 0 is the beginning of the document, whatever its title has become.
  if (!heading || index === 0) return { ok: true, index }
  const block = findRemembered(heading, view)
  const section = block && listSections(view).find(({ headingPos }) => headingPos === block.pos)
  if (section) return { ok: true, index: section.index }
  return failure(
    'stale',
    `Section ${index}, "${shorten(heading.text, 80)}", is gone or has another heading since it was shown.`,
    'Look at the sections again with get_document, then repeat the call with the new number.',
  )
}
