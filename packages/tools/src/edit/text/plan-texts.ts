import { localizable } from '../../common/localizable.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { matchRange } from '../../text/find.ts'
import { asShown } from './change-markers.ts'
import { replacementFor } from './edit-text.ts'
import { type PairHits, planPairs } from './replace-all.ts'
import { locateIn, type Scope } from '../find/scope.ts'

/** Plans several replacements of one place each, all searched in the text before the call. */
export function planTexts(
  pairs: readonly { find: string; replace: string }[],
  scope: Scope | undefined,
  session: DocumentSession,
  view: DocumentView,
): ChangePlan | ToolFailure {
  const sets: (PairHits & { from: number; to: number })[] = []
  for (const { find, replace } of pairs) {
    if (replace.includes('\n')) return severalLines()
    const located = locateIn(find, undefined, scope, session, view)
    if (!located.ok) return located
    const { match } = located
    const { found, text } = replacementFor(located, replace, view.doc)
    const hit = { match, found, groups: { numbered: [match.found], named: {} } }
    const { pos } = match.segment.block
    const was = located.hadMarker && asShown(find, replace, view.doc, match.segment.block)
    const line = was ? { line: { was, line: replace, start: pos, steps: 0 } } : {}
    sets.push({ searchText: find, newText: replace, hits: [hit], texts: [text], ...line, ...matchRange(match) })
  }
  const ordered = sets.toSorted((a, b) => a.from - b.from)
  const met = ordered.find((each, index) => each.from < (ordered[index - 1]?.to ?? 0))
  if (met) {
    return failure(
      'invalid_operation',
      localizable`"${shorten(met.searchText, 80)}" overlaps another text of the same call.`,
      'Give texts that share no character, or one pair for both.',
    )
  }
  return planPairs(view, sets, {
    listed: session.limits.searchMatches,
    blockName: (block) => `[${session.show(block)}]`,
  })
}

function severalLines(): ToolFailure {
  return failure(
    'invalid_operation',
    'In pairs, replace is one line.',
    'Add blocks with insert_text, or make the change of several lines in a call of its own.',
  )
}
