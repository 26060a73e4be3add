import { isSafeUrl } from '../links.ts'
import { escapeHtml } from './escape.ts'

const number = /^\d{1,5}$/
const one = /^\S{1,100}$/

// The attributes that are written to HTML, and their valid values; all others, including those of review, are left out.
const allowed: Readonly<Record<string, (value: string) => boolean>> = {
  href: isSafeUrl,
  src: isSafeUrl,
  alt: () => true,
  title: () => true,
  class: (value) => one.test(value),
  style: (value) =>
    /^(?:(?:(?:text-align|background-color|color): #?[\w-]+|width: \d{1,6}(?:\.\d{1,2})?%)(?:; ?|$))+$/.test(value),
  width: (value) => /^\d{1,5}%?$/.test(value),
  height: (value) => number.test(value),
  colspan: (value) => number.test(value) && value !== '1',
  rowspan: (value) => number.test(value) && value !== '1',
  start: (value) => number.test(value),
  type: (value) => one.test(value),
  checked: () => true,
  'data-type': (value) => one.test(value),
  'data-checked': (value) => one.test(value),
  'data-color': (value) => one.test(value),
  'data-latex': () => true,
}

/** The attributes of a start tag, each with a leading space. Unsafe addresses are left out. */
export function writeAttributes(attributes: object): string {
  return Object.entries(attributes)
    .map(([name, value]: [string, unknown]) => writeAttribute(name, value))
    .join('')
}

function writeAttribute(name: string, value: unknown): string {
  if (!Object.hasOwn(allowed, name) || !['string', 'number', 'boolean'].includes(typeof value)) return ''
  const text = `${value as string | number | boolean}`
  return allowed[name]?.(text) ? ` ${name}="${escapeHtml(text)}"` : ''
}
