import { localizable } from '../../common/localizable.ts'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { findShown } from '../../edit/find/find-shown.ts'
import { createFinder, type Finder, type Hits } from '../../edit/find/find-everywhere.ts'
import { didYouMean, matchingHint, requestHint } from '../../edit/find/locate.ts'
import { expandHits, type PairHits, planPairs, planReplaceAll, type ReplaceAll } from '../../edit/text/replace-all.ts'
import { groupTemplate, plainTemplate, type Template } from '../../edit/content/replacement-template.ts'
import { findScope, holdsMatch, isScoped, notInScope, type Scope, segmentsIn } from '../../edit/find/scope.ts'
import { failure, shorten, type ToolFailure, tooLong } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { findNearest } from '../../text/nearest.ts'
import { allSegments } from '../../text/segments.ts'
import { requestSegments, segmentsWith } from '../../text/text-index.ts'
import {
  blockNumber,
  checkPairs,
  isRegex,
  lastBlock,
  matchCase,
  pairs,
  sectionNumber,
  selected,
  evident,
} from '../../tool/fields.ts'

const input = z.object({
  find: z.string().min(1).optional(),
  replace: z
    .string()
    .optional()
    .describe('Inline markdown; empty removes. isRegex: $1 and ${name} are groups, $$ a dollar.'),
  matchCase: matchCase.optional(),
  wholeWord: z.boolean().optional(),
  isRegex: isRegex.optional(),
  limit: evident(z.number().int().min(1).optional(), 'Only the first so many.'),
  pairs: pairs.describe('As in edit_document.').optional(),
  block: blockNumber.optional(),
  to: lastBlock.optional(),
  section: sectionNumber.optional(),
  selection: selected.optional(),
})

type Input = z.infer<typeof input>

// The maximum total length of all replacements of a call, as a multiple of the limit of one inserted text.
const growth = 10

/** Replaces all occurrences of a text, and nothing else; replacements are never searched for further occurrences. */
export const replaceText = defineTool({
  name: 'replace_text',
  description: 'Replaces every occurrence of a text or pattern, whatever its case unless matchCase is set.',
  input,
  changes: true,
  activity: ({ find }) => activityOn('Replacing', find),
  handler(given, session, call) {
    const wanted = readPairs(given)
    if (!Array.isArray(wanted)) return wanted
    const refused = checkPairs(wanted) ?? checkLength(wanted, session)
    if (refused) return refused
    const sought: Sought[] = []
    for (const pair of wanted) {
      const made = createFinder({ ...given, searchText: pair.find })
      if (!made.ok) return made
      const read = given.isRegex === true ? groupTemplate(pair.replace, made.finder.groups) : undefined
      if (read && !read.ok) return read
      sought.push({ pair, finder: made.finder, template: read?.template ?? plainTemplate(pair.replace) })
    }
    return session.commit(call, (view) => plan(given, sought, session, view))
  },
})

type TextPair = { find: string; replace: string }
type Sought = { pair: TextPair; finder: Finder; template: Template }

// Input may contain CRLF or LF line endings; documents contain only LF.
function readPairs({ find, replace, pairs: several }: Input): TextPair[] | ToolFailure {
  const isOne = find !== undefined && replace !== undefined
  const one = isOne ? [{ find, replace }] : undefined
  const given = several && find === undefined && replace === undefined ? several : several ? undefined : one
  if (given) return given.map((pair) => ({ ...pair, replace: pair.replace.replace(/\r\n?/g, '\n') }))
  return failure(
    'invalid_input',
    several ? 'pairs comes with find or replace.' : localizable`${find === undefined ? 'find' : 'replace'} is missing.`,
    'Give find and replace, or pairs alone.',
  )
}

function checkLength(wanted: readonly TextPair[], session: DocumentSession): ToolFailure | undefined {
  const { findCharacters, insertCharacters } = session.limits
  const longest = (field: keyof TextPair): number => Math.max(...wanted.map((pair) => pair[field].length))
  const isSearch = longest('find') > findCharacters
  if (!isSearch && longest('replace') <= insertCharacters) return undefined
  const limit = isSearch ? findCharacters : insertCharacters
  return tooLong(isSearch ? 'find' : 'replace', limit, 'Give a shorter text.')
}

function plan(given: Input, sought: readonly Sought[], session: DocumentSession, view: DocumentView) {
  const scope = isScoped(given) ? findScope(given, session, view) : undefined
  if (scope && !scope.ok) return scope
  const found = sought.map((each) => ({ ...each, hits: findIn(each.finder, scope, view) }))
  const left = found.filter(({ hits }) => hits.hits.length === 0)
  const [first] = left
  if (first && left.length === found.length) {
    const refused = notFound({ ...given, find: first.pair.find }, first, session, view)
    return scope ? notInScope(refused, first.pair.find, scope) : refused
  }
  const optionsOf = ({ pair, template }: Sought): ReplaceAll => ({
    searchText: pair.find,
    newText: pair.replace,
    template,
    mostCharacters: growth * session.limits.insertCharacters,
    listed: session.limits.searchMatches,
    blockName: (block) => `[${session.show(block)}]`,
  })
  const [only] = found
  if (only && found.length === 1) {
    const limited = { ...only.hits, hits: only.hits.hits.slice(0, given.limit) }
    return planReplaceAll(view, limited, optionsOf(only))
  }
  const sets: PairHits[] = []
  for (const each of found) {
    const expanded = expandHits({ ...each.hits, hits: each.hits.hits.slice(0, given.limit) }, optionsOf(each))
    if ('code' in expanded) return expanded
    sets.push(expanded)
  }
  return planPairs(view, sets, {
    listed: session.limits.searchMatches,
    blockName: (block) => `[${session.show(block)}]`,
  })
}

function findIn(finder: Finder, scope: Scope | undefined, view: DocumentView): Hits {
  if (!scope) return finder.find((text) => segmentsWith(text, view))
  const found = finder.find(() => segmentsIn(scope, view))
  return { ...found, hits: found.hits.filter(({ match }) => holdsMatch(scope, match)) }
}

function notFound(
  given: Input & { find: string },
  { finder, hits }: Sought & { hits: Hits },
  session: DocumentSession,
  view: DocumentView,
): ToolFailure {
  const sought = `"${shorten(given.find, 80)}"`
  const [own] = finder.find((text) => requestSegments(text, view)).hits
  if (own) {
    return failure(
      'not_found',
      localizable`${sought} isn't in the document.`,
      requestHint(own.match.segment.block, session),
    )
  }
  if (hits.partial > 0) {
    return failure(
      'invalid_operation',
      localizable`${sought} is only part of a mention or a formula, which is one piece.`,
      'Name the whole of it, as in @label, or text next to it.',
    )
  }
  if (given.isRegex === true) {
    return failure(
      'not_found',
      localizable`Nothing matches the pattern ${sought}.`,
      'Try the pattern with search_document.',
    )
  }
  const nearest = findNearest(given.find, allSegments(view))
  const why = given.wholeWord === true ? localizable` Only whole words were looked for.` : ''
  const isShown = matchingHint(given.find) !== '' || findShown(given.find, {}, session, view) !== undefined
  const kind = isShown
    ? localizable` Words are found within one cell or block; edit_document takes what reads show.`
    : ''
  return failure(
    'not_found',
    localizable`${sought} isn't in the document.${why}`,
    localizable`${didYouMean(nearest, session)}Look for it with search_document.${kind}`,
  )
}
