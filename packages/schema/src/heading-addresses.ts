import type { Node } from 'prosemirror-model'

/**
 * The link targets of a document's headings (`#…`), each with the heading's position: derived from the text by GitHub's
 * rules, so that they also work in exported markdown. `## Our goals!` is `#our-goals`, the next heading with that text
 * `#our-goals-1`.
 */
export function headingAddresses(doc: Node): ReadonlyMap<string, number> {
  const addresses = new Map<string, number>()
  const counts = new Map<string, number>()
  doc.descendants((node, pos) => {
    if (node.type.name !== 'heading') return !node.isTextblock
    const base = headingAddress(node.textContent)
    const count = counts.get(base) ?? 0
    counts.set(base, count + 1)
    addresses.set(count === 0 ? base : `${base}-${count}`, pos)
    return false
  })
  return addresses
}

/** The address of the first heading with this text; also accepts an address in another notation: `#Our%20goals`. */
export function headingAddress(text: string): string {
  const words = text.replace(/%20/g, ' ').trim().toLowerCase()
  return `#${words.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '').replaceAll(' ', '-')}`
}
