import { blockText } from '../../document/blocks.ts'
import { holdsTags } from './html.ts'
import { readHtml } from './read-html.ts'

/** The text of a heading as written by a model: one line of inline markdown, without `#` and HTML tags. */
export function headingText(title: string): string {
  const text = holdsTags(title) ? readHtml(title).content.map(blockText).join(' ') : title
  return text
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
