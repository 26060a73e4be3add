import type { Node } from 'prosemirror-model'
import { isSafeUrl } from '../links.ts'
import { writeImageTag } from './image-tag.ts'
import type { MdastOf, Phrasing } from './processor.ts'

/** Writes an image, inside its link if it has one; an unsafe address is left out. */
export function writeImage(node: Node): Phrasing[] {
  const { src, alt, title, href } = node.attrs
  if (!isSafeUrl(src)) return string(alt) === '' ? [] : [{ type: 'text', value: string(alt) }]
  const tag = writeImageTag(node.attrs)
  const plain: MdastOf<'image'> = { type: 'image', url: src, alt: string(alt), title: string(title) || null }
  const image: Phrasing = tag === undefined ? plain : { type: 'html', value: tag }
  return isSafeUrl(href) && href !== '' ? [{ type: 'link', url: href, children: [image] }] : [image]
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
