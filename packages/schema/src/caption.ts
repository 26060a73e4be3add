import { escapeHtml } from './html/escape.ts'

/** A piece of a caption: text, or a link with its text. */
export type CaptionPart = { text: string; href?: string }

const link = /\[([^[\]\n]+)\]\((https?:\/\/[^\s()<>"]+)\)|https?:\/\/[^\s()<>"]*[^\s()<>".,:;!?]/gi

/**
 * The pieces of an image's caption, in their order. Its text is plain (`docs/decisions/0029-a-caption-is-a-title.md`);
 * a link in it is written as in markdown, `[text](https://…)`, or is a bare address.
 */
export function readCaption(caption: string): CaptionPart[] {
  const parts: CaptionPart[] = []
  let end = 0
  for (const { 0: found, 1: text, 2: href, index } of caption.matchAll(link)) {
    if (index > end) parts.push({ text: caption.slice(end, index) })
    parts.push(href === undefined || text === undefined ? { text: found, href: found } : { text, href })
    end = index + found.length
  }
  if (end < caption.length) parts.push({ text: caption.slice(end) })
  return parts
}

/** A link in the notation of `readCaption`; only the text if the address is not a web address. */
export function captionLink(text: string, href: string): string {
  if (!/^https?:/i.test(href) || !URL.canParse(href)) return text
  const words = text.replaceAll(/[[\]\s]+/g, ' ').trim()
  const target = new URL(href).href.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
  return words === '' || words === href ? target : `[${words}](${target})`
}

export function captionHtml(caption: string): string {
  return readCaption(caption)
    .map(({ text, href }) => {
      const words = escapeHtml(text)
      return href === undefined ? words : `<a href="${escapeHtml(href)}">${words}</a>`
    })
    .join('')
}
