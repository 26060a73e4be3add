import { isFrontmatter } from '@copydesk/schema'
import { Transform } from 'prosemirror-transform'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { findLines, planLines, splitLines } from '../../edit/text/edit-lines.ts'
import { planShown } from '../../edit/text/edit-shown.ts'
import { planEdit } from '../../edit/text/edit-text.ts'
import { findShown } from '../../edit/find/find-shown.ts'
import { literalInline } from '../../edit/content/inline-text.ts'
import { planTexts } from '../../edit/text/plan-texts.ts'
import { locate, type Located, type Occurrence } from '../../edit/find/locate.ts'
import { findScope, isScoped, locateIn, type Scope } from '../../edit/find/scope.ts'
import { renderBlock } from '../../render/render-block.ts'
import { findTarget } from '../../review/target.ts'
import { failure, shorten, type ToolFailure, tooLong } from '../../common/result.ts'
import type { Block } from '../../document/blocks.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { segmentsOf } from '../../text/segments.ts'
import { cutText } from '../../text/window.ts'
import { blockNumber, checkPairs, lastBlock, occurrence, pairs, sectionNumber, selected } from '../../tool/fields.ts'
import { empty, localizable, removed } from '../../common/localizable.ts'

const input = z.object({
  find: z.string().optional().describe('Enough to be found only once; empty fills an empty block.'),
  replace: z.string().optional().describe('Inline markdown; empty removes.'),
  block: z
    .union([blockNumber, z.literal('frontmatter')])
    .optional()
    .describe("Its number, or 'frontmatter'."),
  occurrence: occurrence.optional(),
  to: lastBlock.optional(),
  section: sectionNumber.optional(),
  selection: selected.optional(),
  pairs: pairs.optional(),
})

type Input = z.infer<typeof input>
/** A call that names one text. */
type Texts = Input & { find: string; replace: string }

/** Replaces one exact text and nothing else: marks, links, mentions and carets outside the difference are kept. */
export const editDocument = defineTool({
  name: 'edit_document',
  description:
    'Replaces one exact text, for every correction and rewording. It may span formatting and several blocks, one line each. ' +
    'An image can get a size and a place: <img src alt title width align>.',
  input,
  changes: true,
  streams: 'replace',
  activity: ({ find }) => activityOn('Editing', find),
  handler(given, session, call) {
    const refused = checkFields(given) ?? checkLength(given, session)
    if (refused) return refused
    return session.commit(call, (view) => plan(given, session, view))
  },
})

function checkFields({ find, replace, pairs: several, occurrence: which, selection }: Input): ToolFailure | undefined {
  if (several) {
    if (find === undefined && replace === undefined && which === undefined) return checkPairs(several)
    return failure(
      'invalid_input',
      'pairs comes with find, replace or occurrence.',
      'Give find and replace, or pairs alone.',
    )
  }
  const missing = replace === undefined ? 'replace' : find === undefined && selection !== true ? 'find' : undefined
  if (missing === undefined) return undefined
  return failure('invalid_input', localizable`${missing} is missing.`, 'Give find and replace, or pairs alone.')
}

function checkLength(given: Input, session: DocumentSession): ToolFailure | undefined {
  const { findCharacters, insertCharacters } = session.limits
  const all = given.pairs ?? [{ find: given.find ?? '', replace: given.replace ?? '' }]
  const longest = (name: 'find' | 'replace'): number => Math.max(...all.map((pair) => pair[name].length))
  const isReplace = longest('replace') > insertCharacters
  const field = longest('find') > findCharacters ? 'find' : isReplace ? 'replace' : undefined
  if (!field) return undefined
  const limit = field === 'find' ? findCharacters : insertCharacters
  return tooLong(field, limit, 'Make the change in several calls, a few paragraphs each.')
}

function plan(input: Input, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  const given = { ...input, find: input.find ?? '', replace: input.replace ?? '' }
  if (given.block === 'frontmatter') return editFrontmatter(given, view)
  const { block: number, pairs: several } = given
  const isPart = given.to !== undefined || given.section !== undefined || given.selection === true
  if (several || isPart) {
    const scope = isScoped({ ...given, block: number })
      ? findScope({ ...given, block: number }, session, view)
      : undefined
    if (scope && !scope.ok) return scope
    if (several) return planTexts(several, scope, session, view)
    if (scope)
      return given.selection === true && given.find === ''
        ? planSelection(given, session, view)
        : inScope(given, scope, session, view)
  }
  const resolved = number === undefined ? undefined : session.resolve(number)
  if (resolved && !resolved.ok) return resolved
  const block = resolved?.block
  if (block?.kind === 'leaf') return editShown(given, block, session, view) ?? leafReads(given, block, view)
  if (given.find === '') return fillBlock(given, block, session, view)
  const located = locate(given.find, { occurrence: given.occurrence, block }, session, view)
  if (located.ok) return planLocated(given, located, session, view)
  const over = located.code === 'not_found' ? overBlocks(given, block, session, view) : undefined
  return over ?? editShown(given, block, session, view, located.code) ?? located
}

// Text that occurs only in the markdown of reads: a whole row, fences, an address, an image, a formula.
function editShown(
  given: Texts,
  block: Block | undefined,
  session: DocumentSession,
  view: DocumentView,
  code = 'not_found',
): ChangePlan | ToolFailure | undefined {
  if (code !== 'not_found' && code !== 'invalid_operation') return undefined
  const found = findShown(given.find, { block, occurrence: given.occurrence }, session, view)
  if (!found?.ok) return found
  // A part of a formula can be changed in its source; a mention can only be replaced as a whole.
  if (code === 'invalid_operation' && !found.blocks.some((each) => holdsFormula(each, given.find))) return undefined
  return planShown(view, found, given.replace, (each) => `[${session.show(each)}]`)
}

function holdsFormula({ node }: Block, find: string): boolean {
  return node.children.some(({ attrs }) => typeof attrs.latex === 'string' && attrs.latex.includes(find))
}

function leafReads({ find, block: number }: Texts, block: Block, view: DocumentView): ToolFailure {
  const reads = shorten(renderBlock(view.doc, block), 500)
  if (find === '') {
    return failure(
      'invalid_input',
      'find is empty.',
      localizable`find: block [${number ?? ''}] or a part of it. It reads: ${reads}`,
    )
  }
  return failure(
    'not_found',
    localizable`"${shorten(find, 80)}" isn't in block [${number ?? ''}].`,
    localizable`The block reads: ${reads}`,
  )
}

function planLocated(given: Texts, located: Located, session: DocumentSession, view: DocumentView) {
  const name = `[${typeof given.block === 'number' ? given.block : session.show(located.match.segment.block)}]`
  const { find: sought, replace } = given
  return planEdit(view, located, replace, { name, find: located.found.text, replace, sought })
}

function inScope(given: Texts, scope: Scope, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  if (given.find === '') return failure('invalid_input', 'find is empty.', 'find: give the exact text to replace.')
  const located = locateIn(given.find, given.occurrence, scope, session, view)
  return located.ok ? planLocated({ ...given, block: undefined }, located, session, view) : located
}

function planSelection(given: Texts, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  const target = findTarget({ selection: true }, session, view)
  if (!target.ok) return target
  if (target.kind === 'text') return planLocated({ ...given, block: undefined }, target.located, session, view)
  if (target.kind === 'block') return noText(session.show(target.block))
  const name = (block: Block | undefined): string => (block ? `[${session.show(block)}]` : '')
  return planLines(view, target.lines, given.replace, {
    first: name(target.blocks[0]),
    last: name(target.blocks.at(-1)),
  })
}

function noText(number: number | undefined): ToolFailure {
  return failure(
    'invalid_operation',
    localizable`Block [${number ?? ''}] is an image, a rule or a formula and has no text to edit.`,
    'Edit the text next to it, or insert a new block with insert_text.',
  )
}

function fillBlock(given: Texts, block: Block | undefined, session: DocumentSession, view: DocumentView) {
  const segment = block && segmentsOf(block)[0]
  if (!block || !segment || segment.text !== '') {
    return failure(
      'invalid_input',
      'find is empty.',
      'find: give the exact text to replace; it may be empty only for an empty block.',
    )
  }
  const match = { segment, found: '', offsets: [0] }
  const located = { ok: true as const, match, found: literalInline(''), literal: false, hadMarker: false }
  return planEdit(view, located, given.replace, {
    name: `[${session.show(block)}]`,
    find: '',
    replace: given.replace,
    sought: '',
  })
}

function overBlocks(given: Texts, block: Block | undefined, session: DocumentSession, view: DocumentView) {
  const lines = splitLines(given.find)
  if (lines.length < 2) return undefined
  const found = findLines(lines, view).filter(([first]) => !block || first?.match.segment.block === block)
  const chosen = choose(found, given.occurrence)
  const first = chosen?.[0]
  const last = chosen?.at(-1)
  if (chosen && first && last) {
    const name = (each: Block): string => `[${session.show(each)}]`
    return planLines(view, chosen, given.replace, {
      first: name(first.match.segment.block),
      last: name(last.match.segment.block),
    })
  }
  if (found.length === 0) return undefined
  const places = found.flatMap(([line]) => (line ? [`[${session.show(line.match.segment.block)}]`] : []))
  return failure(
    'ambiguous',
    localizable`"${shorten(given.find, 80)}" occurs ${found.length} times, beginning in blocks ${places.join(', ')}.`,
    'Name one with occurrence or with the block in which it begins.',
  )
}

function choose<T>(found: readonly T[], which: Occurrence | undefined): T | undefined {
  if (which === undefined) return found.length === 1 ? found[0] : undefined
  if (which === 'first') return found[0]
  return which === 'last' ? found.at(-1) : found[which - 1]
}

const mostFrontmatter = 2_000

function editFrontmatter(given: Texts, view: DocumentView): ChangePlan | ToolFailure {
  const { find, replace } = given
  const yaml = view.frontmatter ?? ''
  const places = find === '' ? 0 : yaml.split(find).length - 1
  if (find === '' ? yaml !== '' : places === 0) {
    return failure(
      'not_found',
      find === ''
        ? 'find is empty, and there is frontmatter already.'
        : localizable`"${shorten(find, 80)}" isn't in the frontmatter.`,
      yaml === ''
        ? 'The document has no frontmatter; an empty find creates it.'
        : localizable`The frontmatter is:\n${cutText(yaml, mostFrontmatter)}`,
    )
  }
  const index = pickPlace(yaml, find, places, given.occurrence)
  if (typeof index !== 'number') return index
  const after = yaml.slice(0, index) + replace + yaml.slice(index + find.length)
  if (!isFrontmatter(after)) {
    return failure(
      'invalid_operation',
      'A line of dashes would end the frontmatter, which has at most 64 KiB.',
      'replace: give the YAML without its --- fences.',
    )
  }
  return {
    ok: true,
    transform: new Transform(view.doc),
    frontmatter: after,
    message: `Changed the frontmatter. It is now:\n${cutText(after, mostFrontmatter)}`,
    summary: localizable`${shorten(find, 60) || empty} → ${shorten(replace, 60) || removed} in the frontmatter`,
    changes: [{ before: find, after: replace }],
  }
}

function pickPlace(yaml: string, find: string, places: number, which: Occurrence | undefined): number | ToolFailure {
  if (places > 1 && which === undefined) {
    return failure(
      'ambiguous',
      localizable`"${shorten(find, 80)}" occurs ${places} times in the frontmatter.`,
      localizable`Name one with occurrence (1 to ${places}), or give the whole line.`,
    )
  }
  const wanted = which === 'last' ? places : which === 'first' || which === undefined ? 1 : which
  if (find !== '' && wanted > places) {
    return failure(
      'out_of_range',
      localizable`"${shorten(find, 80)}" occurs ${places} times in the frontmatter.`,
      localizable`occurrence can be 1 to ${places}.`,
    )
  }
  let index = yaml.indexOf(find)
  for (let place = 1; place < wanted; place++) index = yaml.indexOf(find, index + find.length)
  return index
}
