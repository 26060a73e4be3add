import { captionLink } from '@copydesk/schema'
import { z } from 'zod'
import { activityOn, defineTool } from '../../tool/define-tool.ts'
import { shorten, success } from '../../common/result.ts'
import type { ImageResult, ImagesFound } from '../../session/host/web-host.ts'
import { reasonsToAsk } from '../../session/egress/reasons.ts'
import { heldToSend, isUsable, notConfigured, searchWords } from '../../tool/web-calls.ts'
import { evident } from '../../tool/fields.ts'
import { counted, localizable } from '../../common/localizable.ts'

const input = z.object({
  keywords: evident(searchWords, 'What it shows.'),
  count: evident(z.number().int().min(1).max(5).optional(), '3 by default.'),
})

/**
 * Searches images whose licences allow reuse. `insert_image` needs no approval for their addresses, and names the
 * author below the image. Keywords need the same approval as a query of `search_web`.
 */
export const searchImage = defineTool({
  name: 'search_image',
  description: 'Finds photos for insert_image, which names their author.',
  input,
  changes: false,
  editorsOnly: true,
  needs: 'image-search',
  isOutside: true,
  activity: ({ keywords }) => activityOn('Searching images for', keywords),
  async handler({ keywords, count = 3 }, session, call) {
    const search = session.host?.web?.searchImages
    if (!search) return notConfigured('Searching images', 'image-search')
    if (!session.maySearch(keywords, call)) {
      const summary = localizable`Search images for “${shorten(keywords, 80)}”`
      return heldToSend(summary, keywords, reasonsToAsk.readOutside, call)
    }
    const found = await search(keywords, count)
    if (!found.ok) return found
    const images = found.images
      .filter(({ url }) => isUsable(url))
      .slice(0, count)
      .map(cutImage)
    for (const { url, author, authorUrl } of images) session.given.add(url, creditOf(author, authorUrl, found))
    const details = { images, totalImages: Math.max(found.total, images.length), keywords }
    const summary = localizable`Found ${counted(images.length, 'image')} for “${shorten(keywords, 60)}”`
    return success(JSON.stringify(details), summary, details)
  },
})

function cutImage({ description, author, ...addresses }: ImageResult): ImageResult {
  return { ...addresses, description: shorten(description, 300), author: shorten(author, 80) }
}

// Links to the author and to the service, as services require. A longer address would be cut off below the image.
function creditOf(author: string, authorUrl: string, { source, sourceUrl }: Credited): string {
  const by = author.trim() || 'unknown'
  return `Photo: ${authorUrl.length > 200 ? by : captionLink(by, authorUrl)}, ${captionLink(source, sourceUrl)}`
}

type Credited = Pick<ImagesFound, 'source' | 'sourceUrl'>
