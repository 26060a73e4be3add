import type { Command } from './command.ts'
import { reportChanges } from './report.ts'
import { plainResult, readError } from './results.ts'
import { callOf, resultOf } from './turn.ts'
import type { Move, Turn } from './turn.ts'
import { countOf, quote } from './builtin-messages.ts'

type Section = { index: number; title: string }

/** Deletes a whole section, found by its title or by its index; index 0 is the section of the title. */
export function planDeleteSection(command: Extract<Command, { kind: 'delete-section' }>, turn: Turn): Move {
  if (!turn.offers('update_section') || !turn.offers('get_document')) {
    return { text: 'I can not delete sections here, so I have changed nothing.' }
  }
  const read = resultOf(turn, 'get_document')
  if (!read) return callOf('get_document', {})
  if (read.result.isError) return { text: `- I could not read the document: ${readError(read.result.text)}` }
  const sections = readSections(read.result.text)
  const chosen = sections === undefined ? 'I can not tell the sections apart.' : pick(command.section, sections)
  if (typeof chosen === 'string') return { text: `${chosen} I have changed nothing.` }
  const deleted = resultOf(turn, 'update_section')
  if (!deleted) return callOf('update_section', { operation: 'delete', sectionIndex: chosen.index })
  const lines = reportChanges([deleted], turn, () => {
    return { line: `deleted the section ${quote(chosen.title)}`, about: chosen.title }
  })
  return { text: lines.join('\n') }
}

function pick(wanted: Extract<Command, { kind: 'delete-section' }>['section'], sections: readonly Section[]) {
  const last = sections.at(-1)
  const ends = `The document has ${countOf(sections.length, 'section')}, the one with the title included.`
  if (wanted === 'last' || 'index' in wanted) {
    const section = wanted === 'last' ? last : sections[wanted.index]
    if (section?.index === 0) return 'The section with the title can not be deleted.'
    return section ?? `There is no such section. ${ends}`
  }
  const title = fold(wanted.title)
  const exact = sections.filter((section) => fold(section.title) === title)
  const found = exact.length > 0 ? exact : sections.filter((section) => fold(section.title).includes(title))
  const [section] = found
  if (!section) return `There is no section ${quote(wanted.title)}.`
  if (found.length > 1) return `${countOf(found.length, 'section')} have the title ${quote(wanted.title)}.`
  return section.index === 0 ? 'The section with the title can not be deleted.' : section
}

function fold(title: string): string {
  return title.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

// A text may imitate the line above a section: then there are more such lines than sections, and none is trusted.
function readSections(result: string): Section[] | undefined {
  const text = plainResult(result).trimStart()
  const total = Number(/^(\d+) sections?\b/.exec(text)?.[1] ?? 0)
  const isOverview = /^\d+ sections?, too long/.test(text)
  const pattern = isOverview
    ? /^Section (\d+): (.*): [\d,.]+ characters?(?:, from block \d+ on)?$/gm
    : /^=== Section (\d+): (.*) ===$/gm
  const sections = [...text.matchAll(pattern)].map((match) => ({ index: Number(match[1]), title: match[2] ?? '' }))
  return sections.length === total && sections.every(({ index }, at) => index === at) ? sections : undefined
}
