import { attributeTable, isSafeUrl, schema } from '@copydesk/schema'
import { serializeBlock } from '@copydesk/schema/markdown'
import { Transform } from 'prosemirror-transform'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, type ToolFailure } from '../../common/result.ts'
import { listSections } from '../../document/sections.ts'
import type { ChangePlan } from '../../session/commit/commit.ts'
import { reasonsToAsk } from '../../session/egress/reasons.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { DocumentView } from '../../document/document-view.ts'
import { evident, sectionNumber } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  section: sectionNumber,
  imageUrl: evident(z.string().min(1), 'https.'),
  imageDescription: evident(z.string(), 'Alternative text.'),
  caption: evident(z.string().optional(), 'Shown below it.'),
  width: evident(z.string().max(12).optional(), "In pixels, or of the text: '50%'."),
  position: evident(z.enum(['after_section', 'before_section']).optional(), 'At the end of the section by default.'),
})

// Leaves room for a caption within the maximum length of captions.
const longestCredit = 390

type Input = z.infer<typeof input>

/**
 * Inserts an image at the end of a section or before it. The host first fetches, checks and stores it; the document
 * refers to the stored copy, so no reader's browser requests it from another server. An address that the caller hasn't
 * named, and `search_image` hasn't given, is fetched only after a person's approval.
 */
export const insertImage = defineTool({
  name: 'insert_image',
  description: 'Inserts an image from the web into a section, or before it.',
  input,
  changes: true,
  editorsOnly: true,
  activity: localizable`Inserting an image…`,
  async handler(given, session, call) {
    const { host } = session
    // A caller without write access gets the usual failure before the host fetches anything.
    if (!session.canEdit) return session.commit(call, (view) => plan(given, { url: '' }, view))
    if (!host) {
      return failure('not_configured', 'Images cannot be stored here.', 'Leave the image out, and say so.')
    }
    const read = session.view()
    if (!read.ok) return read
    const shown = session.resolveSection(given.section, read.view)
    if (!shown.ok) return shown
    const refused =
      checkAddress(given.imageUrl, session) ??
      checkWidth(given.width) ??
      checkSection({ ...given, section: shown.index }, read.view)
    if (refused) return refused
    const mayFetch = session.mayFetch(given.imageUrl, call)
    if ((session.mode === 'ask' && call.approved !== true) || !mayFetch) {
      const why = call.mustAsk === true ? reasonsToAsk.eachCall : reasonsToAsk.unnamedAddress
      const reason = mayFetch ? {} : { reason: why }
      return session.commit(call, (view) => ({ ...proposal({ ...given, section: shown.index }, view), ...reason }))
    }
    // Users may edit while the image is fetched: the number keeps its current meaning.
    const section = listSections(read.view)[shown.index]
    if (section) session.showSections([{ ...section, index: given.section }], false)
    const stored = await host.storeImage(given.imageUrl.trim())
    if (!stored.ok) return withSearch(stored, session)
    const credit = session.given.credit(given.imageUrl) ?? stored.credit
    const image = { url: stored.url, ...(credit === undefined ? {} : { credit }) }
    return session.commit(call, (view) => {
      const resolved = session.resolveSection(given.section, view)
      if (!resolved.ok) return resolved
      const now = { ...given, section: resolved.index }
      return checkSection(now, view) ?? plan(now, image, view)
    })
  },
})

function checkAddress(url: string, session: DocumentSession): ToolFailure | undefined {
  if (isSafeUrl(url) && /^https?:\/\/[^/\s]+/i.test(url.trim()) && URL.canParse(url.trim())) return undefined
  const hint = 'imageUrl: a whole address that begins with https://.'
  return withSearch(
    failure('invalid_input', localizable`"${shorten(url, 100)}" is not the address of an image on the web.`, hint),
    session,
  )
}

function checkWidth(width: string | undefined): ToolFailure | undefined {
  if (width === undefined || attributeTable.image?.width?.allows(readWidth(width)) === true) return undefined
  return failure(
    'invalid_input',
    localizable`"${shorten(width, 12)}" is no width.`,
    "width: a number of pixels, or '50%'.",
  )
}

function readWidth(width: string): string | number {
  return /^\d+$/.test(width) ? Number(width) : width.trim()
}

// Mentions the image search only if the host has one.
function withSearch(refused: ToolFailure, { host }: DocumentSession): ToolFailure {
  if (refused.code !== 'invalid_input' || !host?.web?.searchImages) return refused
  return failure(
    refused.code,
    refused.words?.message ?? refused.message,
    localizable`${refused.words?.hint ?? refused.hint} Find one with search_image.`,
    refused.details,
  )
}

function checkSection({ section: sectionIndex }: Input, view: DocumentView): ToolFailure | undefined {
  const count = listSections(view).length
  if (sectionIndex < Math.max(1, count)) return undefined
  return failure(
    'out_of_range',
    localizable`There is no section ${sectionIndex}.`,
    count === 0 ? 'The document is empty; section can only be 0.' : localizable`section can be 0 to ${count - 1}.`,
  )
}

// The proposal shows the source address of the image; the host has not fetched it yet.
function proposal(given: Input, view: DocumentView): ChangePlan {
  const { update: _update, ...held } = plan(given, { url: '' }, view)
  const after = `![${shorten(given.imageDescription, 1_000)}](${given.imageUrl.trim()})`
  return { ...held, mode: 'ask', changes: held.changes.map((change) => ({ ...change, after })) }
}

function plan(given: Input, stored: { url: string; credit?: string }, view: DocumentView): ChangePlan {
  const { section: sectionIndex, imageDescription, position = 'after_section' } = given
  const section = listSections(view)[sectionIndex]
  const alt = shorten(imageDescription, 1_000)
  const credit = stored.credit === undefined ? '' : shorten(stored.credit, longestCredit)
  const title = [shorten(given.caption ?? '', 600), credit].filter(Boolean).join(' – ') || null
  const width = given.width === undefined ? null : readWidth(given.width)
  const image = schema.node('image', { src: stored.url, alt, title, width })
  const transform = new Transform(view.doc)
  const last = view.doc.lastChild
  // If the document ends with an empty paragraph, a user's caret may be in it.
  const isEmptyEnd = last?.type.name === 'paragraph' && last.childCount === 0
  const end =
    section && section.to < view.doc.content.size
      ? section.to
      : view.doc.content.size - (isEmptyEnd ? last.nodeSize : 0)
  const pos = position === 'before_section' ? (section?.from ?? 0) : end
  transform.insert(pos, image)
  const name = section && section.title !== '' ? ` "${shorten(section.title, 100)}"` : ''
  const where = `${position === 'before_section' ? 'before' : 'at the end of'} section ${sectionIndex}${name}`
  return {
    ok: true,
    transform,
    update: { operation: 'insert_image', sectionIndex, imageUrl: stored.url, imageDescription: alt, position },
    message: `Inserted the image "${shorten(alt, 200)}" ${where}.${credit === '' ? '' : ` ${credit}.`}`,
    summary: localizable`Image: ${shorten(alt, 60)}`,
    details: { success: true, imageUrl: stored.url },
    changes: [{ before: '', after: serializeBlock(image), pos }],
  }
}
