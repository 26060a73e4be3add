import { localizable } from '../../common/localizable.ts'
import { headingAddress, headingAddresses, isSafeUrl } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { type BlockFormat, blockFormats } from '../../edit/format/format-blocks.ts'
import { type InlineFormat, inlineFormats } from '../../edit/format/format-inline.ts'
import { findBlocks, findRanges } from '../../edit/format/format-target.ts'
import { planBlocks, planInline } from '../../edit/format/plan-format.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident, blockNumber, exactText, lastBlock, occurrence, sectionNumber } from '../../tool/fields.ts'

const target = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('text'),
      find: exactText.min(1),
      occurrence: occurrence.optional(),
      block: blockNumber.optional(),
      to: lastBlock.optional(),
      section: sectionNumber.optional(),
    })
    .describe('every occurrence by default'),
  z.object({ type: z.literal('selection') }),
  z.object({
    type: z.literal('block'),
    block: blockNumber,
    to: lastBlock.optional(),
  }),
  z.object({ type: z.literal('all') }),
])

const format = z
  .object({
    type: z.enum([...inlineFormats, ...blockFormats]),
    level: evident(z.number().int().min(1).max(6).optional(), 'Of a heading; 2 by default.'),
    href: evident(z.string().optional(), 'Of a link; #our-goals is the heading Our goals.'),
    language: evident(z.string().max(50).optional(), 'Of a codeBlock; empty for none.'),
    checked: evident(z.boolean().optional(), 'Of a taskList.'),
  })
  .describe('heading to codeBlock are of whole blocks.')

const input = z.object({
  target,
  format,
  remove: evident(z.boolean().optional(), 'Takes the format away.'),
})

type Input = z.infer<typeof input>

const defaultLevel = 2

/** Sets or removes a format of text or blocks. Text and all other formatting stay unchanged. */
export const applyFormatting = defineTool({
  name: 'apply_formatting',
  description: 'Formats text, or makes blocks headings, lists and so on. Sets, never toggles.',
  input,
  changes: true,
  activity: ({ target }) => activityOn('Formatting', target?.type === 'text' ? target.find : undefined),
  handler(given, session, call) {
    const { type, href } = given.format
    if (type === 'link' && given.remove !== true && (href === undefined || href.trim() === '' || !isSafeUrl(href))) {
      return failure(
        'invalid_input',
        href === undefined ? 'A link needs an address.' : 'That address is not one that a link may have.',
        'format.href: #heading, a relative address, or one that begins with https:, http:, mailto: or tel:.',
      )
    }
    return session.commit(call, (view) => plan(given, session, view))
  },
})

function plan(given: Input, session: DocumentSession, view: DocumentView): ChangePlan | ToolFailure {
  const { type, level = defaultLevel, href } = given.format
  const remove = given.remove === true
  const listed = session.limits.searchMatches
  if (isInline(type)) {
    const found = findRanges(given.target, session, view)
    const address = type === 'link' && !remove ? { href: addressOf(href?.trim() ?? '', view.doc) } : {}
    if (address.href?.startsWith('#') && !headingAddresses(view.doc).has(address.href))
      return noHeading(address.href, view.doc)
    return found.ok ? planInline(view, found, { type, remove, ...address }, listed) : found
  }
  const found = findBlocks(given.target, session, view)
  if (!found.ok) return found
  const blockName = (block: (typeof found.blocks)[number]): string => `[${session.show(block)}]`
  const { language, checked } = given.format
  return planBlocks(view, found, { type, level, remove, language, checked }, { listed, blockName })
}

// The text of a heading, as in "#Our goals", is also a valid reference.
function addressOf(href: string, doc: Node): string {
  return href.startsWith('#') && !headingAddresses(doc).has(href) ? headingAddress(href) : href
}

function noHeading(href: string, doc: Node): ToolFailure {
  const known = [...headingAddresses(doc).keys()].slice(0, 20).join(', ')
  const hint =
    known === ''
      ? 'The document has no headings.'
      : localizable`format.href: the address of a heading is one of ${known}.`
  return failure('not_found', localizable`No heading has the address ${shorten(href, 80)}.`, hint)
}

function isInline(type: InlineFormat | BlockFormat): type is InlineFormat {
  return inlineFormats.some((each) => each === type)
}
