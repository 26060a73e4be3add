import { localizable } from '../../common/localizable.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { listSections } from '../../document/sections.ts'
import { type Block } from '../../document/blocks.ts'
import { blocksInRanges, type Range } from '../../document/changed-ranges.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { type Match, matchRange } from '../../text/find.ts'
import { searchedIn, type Segment, segmentsOf } from '../../text/segments.ts'
import { findBlockRange } from './block-range.ts'
import { locate, type Located, type Occurrence } from './locate.ts'

/** The part of a document in which a call searches, as specified by a model. */
export type ScopeInput = {
  block?: number | undefined
  to?: number | undefined
  section?: number | undefined
  selection?: boolean | undefined
}

/** A part of a document: its blocks, and of a selection the ranges within them. `name` describes it in words. */
export type Scope = { ok: true; blocks: readonly Block[]; ranges?: readonly Range[]; name: string }

/** Whether a call specifies a part of the document. */
export function isScoped({ block, to, section, selection }: ScopeInput): boolean {
  return block !== undefined || to !== undefined || section !== undefined || selection === true
}

/** Resolves the part of the document that a call specifies. */
export function findScope(given: ScopeInput, session: DocumentSession, view: DocumentView): Scope | ToolFailure {
  const { block, to, section, selection } = given
  const named = [block ?? to, section, selection === true ? true : undefined].filter((each) => each !== undefined)
  if (named.length !== 1 || (block === undefined && to !== undefined)) {
    return failure(
      'invalid_input',
      'The part of the document is named twice, or not wholly.',
      'Give block (and to, for several), or section, or selection: true.',
    )
  }
  if (block !== undefined) return findBlockRange({ block, to }, session, view)
  return section === undefined ? findSelected(session, view) : findSection(section, session, view)
}

function findSection(number: number, session: DocumentSession, view: DocumentView): Scope | ToolFailure {
  const resolved = session.resolveSection(number, view)
  if (!resolved.ok) return resolved
  const sections = listSections(view)
  const found = sections[resolved.index]
  if (!found) {
    const hint = localizable`Sections are 0 to ${Math.max(0, sections.length - 1)}; get_document shows them.`
    return failure('out_of_range', localizable`There is no section ${number}.`, hint)
  }
  const blocks = view.blocks.filter(({ pos }) => pos >= found.from && pos < found.to)
  const title = found.title === '' ? '' : ` "${shorten(found.title, 80)}"`
  return { ok: true, blocks, name: `section ${number}${title}` }
}

function findSelected(session: DocumentSession, view: DocumentView): Scope | ToolFailure {
  const selected = session.selection()
  if (selected && selected.from < selected.to) {
    const { ranges } = selected
    return { ok: true, blocks: blocksInRanges(view.blocks, ranges), ranges, name: 'the selection' }
  }
  return failure(
    'no_selection',
    localizable`${session.caller.name} has nothing selected.`,
    'Ask them to select the text, or name the part by block or section.',
  )
}

/** The searchable texts of a scope. Includes the run's own request only if the scope is its block. */
export function segmentsIn({ blocks }: Scope, view: DocumentView): readonly Segment[] {
  return blocks.flatMap((block) => (blocks.length === 1 ? segmentsOf(block) : searchedIn(block, view)))
}

/** Whether a match is within the ranges of a scope; its block must already be in the scope. */
export function holdsMatch({ ranges }: Scope, match: Match): boolean {
  if (!ranges) return true
  const { from, to } = matchRange(match)
  return ranges.some((range) => from >= range.from && to <= range.to)
}

/** A failure to find a text, with the name of the searched part of the document. */
export function notInScope(refused: ToolFailure, text: string, { name }: Scope): ToolFailure {
  if (refused.code !== 'not_found') return refused
  const hint = refused.words?.hint ?? refused.hint
  return failure('not_found', localizable`"${shorten(text, 80)}" isn't in ${name}.`, hint, refused.details)
}

/** Locates one occurrence of a text in a part of the document, or returns the failure. */
export function locateIn(
  text: string,
  occurrence: Occurrence | undefined,
  scope: Scope | undefined,
  session: DocumentSession,
  view: DocumentView,
): Located | ToolFailure {
  if (!scope) return locate(text, { occurrence }, session, view)
  const limits = { segments: segmentsIn(scope, view), holds: (match: Located['match']) => holdsMatch(scope, match) }
  const located = locate(text, { occurrence, scope: limits }, session, view)
  return located.ok ? located : notInScope(located, text, scope)
}
