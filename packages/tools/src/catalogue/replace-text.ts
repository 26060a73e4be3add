import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { createFinder, type Finder, type Hits } from '../edit/find-everywhere.ts'
import { matchingHint } from '../edit/locate.ts'
import { planReplaceAll } from '../edit/replace-all.ts'
import { groupTemplate, plainTemplate, type Template } from '../edit/replacement-template.ts'
import { failure, shorten, type ToolFailure } from '../result.ts'
import type { ChangePlan } from '../session/commit.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { DocumentView } from '../session/document-view.ts'
import { findNearest } from '../text/nearest.ts'
import { allSegments } from '../text/segments.ts'
import { segmentsWith } from '../text/text-index.ts'

const input = z.object({
  searchText: z.string().min(1).describe('The text, or with isRegex the RE2 pattern, to replace wherever it occurs.'),
  newText: z
    .string()
    .describe(
      'The text that replaces it. Inline markdown (**bold**, [link](url)) counts; empty removes the text. With isRegex $1 and ${name} stand for groups and $$ for a dollar sign.',
    ),
  matchCase: z.boolean().optional().describe('Whether upper and lower case differ; false by default.'),
  wholeWord: z.boolean().optional().describe('Whether only whole words count; false by default.'),
  isRegex: z.boolean().optional().describe('Whether searchText is a regular expression; false by default.'),
  limit: z.number().int().min(1).optional().describe('Replace only this many, from the start; by default all.'),
})

type Input = z.infer<typeof input>

// The total length of all replacements of a call, as a multiple of the limit of one inserted text.
const growth = 10

/** Replaces all occurrences of a text, and nothing around them; the replacement is never searched again. */
export const replaceText = defineTool({
  name: 'replace_text',
  description:
    'Replaces every occurrence of a text or pattern in the whole document, or the first few (limit). Use it to rename a term, correct a repeated mistake or remove a word everywhere; use edit_document for one place. It ignores upper and lower case unless matchCase is set, sees through formatting, and says how many places in which blocks it changed.',
  input,
  changes: true,
  handler(given, session, call) {
    const tooLong = checkLength(given, session)
    if (tooLong) return tooLong
    // Input has line endings of either kind; the document has only one.
    const newText = given.newText.replace(/\r\n?/g, '\n')
    const made = createFinder(given)
    if (!made.ok) return made
    const { finder } = made
    const read = given.isRegex === true ? groupTemplate(newText, finder.groups) : undefined
    if (read && !read.ok) return read
    const template = read?.template ?? plainTemplate(newText)
    return session.commit(call, (view) => plan({ ...given, newText }, finder, template, session, view))
  },
})

function checkLength({ searchText, newText }: Input, session: DocumentSession): ToolFailure | undefined {
  const { findCharacters, insertCharacters } = session.limits
  const isSearch = searchText.length > findCharacters
  if (!isSearch && newText.length <= insertCharacters) return undefined
  const limit = isSearch ? findCharacters : insertCharacters
  return failure(
    'too_large',
    `${isSearch ? 'searchText' : 'newText'} is longer than ${limit.toLocaleString('en')} characters.`,
    'Give a shorter text.',
  )
}

function plan(
  given: Input,
  finder: Finder,
  template: Template,
  session: DocumentSession,
  view: DocumentView,
): ChangePlan | ToolFailure {
  const found = finder.find((text) => segmentsWith(text, view))
  if (found.hits.length === 0) return notFound(given, found, session, view)
  const limited = { ...found, hits: found.hits.slice(0, given.limit) }
  return planReplaceAll(view, limited, {
    searchText: given.searchText,
    newText: given.newText,
    template,
    mostCharacters: growth * session.limits.insertCharacters,
    listed: session.limits.searchMatches,
    blockName: (block) => `[${session.show(block)}]`,
  })
}

function notFound(given: Input, { partial }: Hits, session: DocumentSession, view: DocumentView): ToolFailure {
  const sought = `"${shorten(given.searchText, 80)}"`
  if (partial > 0) {
    return failure(
      'invalid_operation',
      `${sought} is only part of a mention or a formula, which is one piece.`,
      'Name the whole of it, as in @label, or text next to it.',
    )
  }
  if (given.isRegex === true) {
    return failure('not_found', `Nothing matches the pattern ${sought}.`, 'Try the pattern with search_document.')
  }
  const nearest = findNearest(given.searchText, allSegments(view))
  const why = given.wholeWord === true ? ' Only whole words were looked for.' : ''
  const isShown = matchingHint(given.searchText) !== ''
  const kind = isShown ? ' Words are found within one cell or block; edit_document takes what reads show.' : ''
  const search = `Look for it with search_document.${kind}`
  return failure(
    'not_found',
    `${sought} isn't in the document.${why}`,
    nearest
      ? `Did you mean "${shorten(nearest.text, 200)}" in block [${session.show(nearest.segment.block)}]? ${search}`
      : search,
  )
}
