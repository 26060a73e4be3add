import type { Attrs } from 'prosemirror-model'
import { fitAttributes, unfitAttributes } from '../attributes/fit.ts'
import { escapeHtml } from '../html/escape.ts'
import { isSafeUrl } from '../links.ts'
import { joinLines } from './white-space.ts'

/** The attributes of an image's `<img>` tag, in the order in which they are written. */
const names = ['src', 'alt', 'title', 'width', 'align'] as const

const tag = /^<img((?:\s+[a-z]+="[^"<>]*")+)\s*\/?>$/i
const attribute = /([a-z]+)="([^"]*)"/gi

/**
 * The `<img>` tag of an image with a width or an alignment, which markdown's `![…](…)` can't represent; undefined for
 * any other image. A value that `attributeTable` doesn't allow is omitted.
 */
export function writeImageTag(attributes: Attrs): string | undefined {
  const { src, alt, title, width, align } = fitOr(attributes)
  if (!isText(src) || !(width || align)) return undefined
  const values = { src, alt: isText(alt) ? alt : '', title, width, align }
  return `<img ${names.flatMap((name) => (values[name] || name === 'alt' ? [write(name, values[name])] : [])).join(' ')}>`
}

function fitOr(attributes: Attrs): Attrs {
  try {
    return fitAttributes('image', attributes)
  } catch {
    return {}
  }
}

// A bar would end a table cell.
function write(name: string, value: unknown): string {
  return `${name}="${escapeHtml(joinLines(String(value))).replaceAll('|', '&#124;')}"`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/**
 * The attributes of an image that is written as one `<img>` tag; undefined unless it has a width or an alignment, a
 * safe address and only attributes that an image of this schema can store, so that no text is lost.
 */
export function readImageTag(html: string): Attrs | undefined {
  const given = new Map<string, string>()
  for (const [, name = '', value = ''] of (tag.exec(html)?.[1] ?? '').matchAll(attribute)) {
    const key = name.toLowerCase()
    if (given.has(key) || !names.some((known) => known === key)) return undefined
    given.set(key, unescape(joinLines(value)))
  }
  const src = given.get('src')
  const width = readWidth(given.get('width'))
  const align = given.get('align') || null
  if (!src || !isSafeUrl(src) || (width === null && align === null)) return undefined
  const attributes = { src, alt: given.get('alt') || null, title: given.get('title') || null, width, align }
  return unfitAttributes('image', { width, align }).length > 0 ? undefined : attributes
}

function readWidth(value: string | undefined): string | number | null {
  const pixels = /^(\d+(?:\.\d+)?)(?:px)?$/.exec(value ?? '')?.[1]
  return pixels === undefined ? value || null : Number(pixels)
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#124': '|' }

// Reverts only the escapes of the writer.
function unescape(value: string): string {
  return value.replace(/&(amp|lt|gt|quot|#39|#124);/g, (_reference, name: string) => characters[name] ?? '')
}
