import { rename } from './html-parts.ts'

type WordItem = { element: HTMLElement; list: string; level: number; marker: string }

/**
 * Word writes lists as paragraphs with a bullet or number before the text and the depth in their style. Converts
 * consecutive ones to nested lists.
 */
export function readWordLists(body: HTMLElement): void {
  for (const first of body.querySelectorAll<HTMLElement>('p,h1,h2,h3,h4,h5,h6,div')) {
    if (first.closest('li') || !wordLevel(first)) continue
    const items: WordItem[] = []
    let next: Element | null = first
    while (next instanceof HTMLElement) {
      const level = wordLevel(next)
      if (!level) break
      items.push({ element: next, ...level, marker: takeMarker(next) })
      next = next.nextElementSibling
    }
    buildLists(items)
  }
}

function wordLevel(element: HTMLElement): { list: string; level: number } | undefined {
  const style = element.getAttribute('style') ?? ''
  const [, list, level] = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(style) ?? []
  return list !== undefined && level !== undefined ? { list, level: Math.min(Number(level), 9) } : undefined
}

// The bullet is in an element that Word itself ignores when it reads this again.
function takeMarker(element: HTMLElement): string {
  const ignored = [...element.querySelectorAll<HTMLElement>('[style]')].find((each) =>
    /mso-list:\s*ignore/i.test(each.getAttribute('style') ?? ''),
  )
  const marker = (ignored?.textContent ?? '').replace(/\s/g, '')
  ignored?.remove()
  return marker
}

function buildLists(items: readonly WordItem[]): void {
  const open: { list: HTMLElement; id: string; level: number }[] = []
  for (const { element, list: id, level, marker } of items) {
    while (open.length > 1 && (open.at(-1)?.level ?? 0) > level) open.pop()
    let current = open.at(-1)
    const isOther = current?.level === level && current.id !== id && open.length === 1
    if (!current || isOther || current.level < level) {
      const list = createList(element.ownerDocument, marker)
      if (!current || isOther) {
        element.before(list)
        open.length = 0
      } else (current.list.lastElementChild ?? current.list).append(list)
      current = { list, id, level }
      open.push(current)
    }
    const item = current.list.appendChild(element.ownerDocument.createElement('li'))
    const text = element.tagName === 'DIV' ? rename(element, 'p') : element
    item.append(text)
  }
}

const numbered = /^\(?(?:\d{1,4}|[a-z]|[ivxlcdm]{1,7})[.)]$/i

function createList(document: Document, marker: string): HTMLElement {
  const list = document.createElement(numbered.test(marker) ? 'ol' : 'ul')
  const start = Number(/^\(?(\d{1,4})/.exec(marker)?.[1] ?? 1)
  if (list.tagName === 'OL' && start !== 1) list.setAttribute('start', String(start))
  return list
}

const paragraphs: readonly (readonly [RegExp, string])[] = [
  [/\bMsoTitle\b/, 'h1'],
  [/\bMsoSubtitle\b/, 'h2'],
  [/\bMso(?:Intense)?Quote\b/, 'blockquote'],
]

/** Word’s own names for a title, a subtitle and a quotation. */
export function readWordParagraphs(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll('p[class*="Mso"]')) {
    const name = paragraphs.find(([pattern]) => pattern.test(paragraph.className))?.[1]
    if (name) rename(paragraph, name)
  }
}
