import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { failure, shorten, success, type ToolFailure, type ToolResult } from '../../common/result.ts'
import { readAddress } from '../../session/egress/named-addresses.ts'
import type { WebPage } from '../../session/host/web-host.ts'
import { reasonsToAsk } from '../../session/egress/reasons.ts'
import { heldToSend, notConfigured } from '../../tool/web-calls.ts'
import { continueFrom, evident } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  url: evident(z.string().min(1).max(2_000), 'https.'),
  from: continueFrom.optional(),
})

/**
 * Shows the main text of a page as markdown, `readCharacters` per call. An address that comes neither from the caller
 * nor from a result of `search_web` waits for a person's approval, which also covers the rest of the page.
 */
export const readWebPage = defineTool({
  name: 'read_web_page',
  description: 'Shows the main text of a page on the web.',
  input,
  changes: false,
  editorsOnly: true,
  needs: 'web',
  isOutside: true,
  activity: ({ url }) => activityOn('Reading', url !== undefined && URL.canParse(url) ? new URL(url).host : ''),
  async handler({ url, from = 0 }, session, call) {
    const web = session.host?.web
    if (!web) return notConfigured('Reading pages of the web', 'web')
    const address = url.trim()
    if (readAddress(address) === undefined) return noAddress(address)
    if (!session.mayFetch(address, call)) {
      return heldToSend(localizable`Read ${shorten(address, 100)}`, address, reasonsToAsk.unnamedAddress, call)
    }
    if (call.approved === true) session.given.add(address)
    const read = await web.readPage(address)
    if (!read.ok) return read
    return showPage(read.page, address, from, session.limits.readCharacters)
  },
})

function noAddress(address: string): ToolFailure {
  const hint = 'url: a whole address that begins with https://, without a user name.'
  return failure(
    'invalid_input',
    localizable`"${shorten(address, 100)}" is not the address of a page on the web.`,
    hint,
  )
}

function showPage({ url, title, text }: WebPage, address: string, from: number, limit: number): ToolResult {
  if (from > 0 && from >= text.length) {
    return failure(
      'out_of_range',
      localizable`The page has ${text.length} characters.`,
      localizable`from can be 0 to ${text.length - 1}.`,
    )
  }
  const to = endOfPart(text, from, limit)
  const rest = to < text.length ? `\n\n…${text.length - to} more characters: read it again with "from": ${to}` : ''
  const content = text.slice(from, to).toWellFormed()
  const heading = [shorten(title, 300), url === address ? address : `${address} → ${url}`].filter(Boolean).join('\n')
  const details = { url, title: shorten(title, 300), content, from, length: text.length }
  const shown = content.trim() === '' ? 'The page has no text.' : content
  return success(`${heading}\n\n${shown}${rest}`, localizable`Read “${shorten(title || url, 80)}”`, details)
}

// Prefers the end of a line if that is near.
function endOfPart(text: string, from: number, limit: number): number {
  if (text.length - from <= limit) return text.length
  const line = text.lastIndexOf('\n', from + limit)
  const end = line > from + limit * 0.8 ? line + 1 : from + limit
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') && end - 1 > from ? end - 1 : end
}
