import type { Attrs, Mark, MarkType, Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { isVisible } from '../../document/blocks.ts'
import type { Range } from '../../document/changed-ranges.ts'

export const inlineFormats = ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'link'] as const
export type InlineFormat = (typeof inlineFormats)[number]

/** A format to set on text or, with `remove`, to remove; `href` is a link's address. */
export type InlineChange = { type: InlineFormat; href?: string | undefined; remove: boolean }

/**
 * Sets or removes a format over each range, whose ends are in text blocks, and returns an outcome for each: `code` if
 * the range contains text only in code blocks, which allow no formats, `empty` if it contains no text. Changes only
 * text that doesn't have the format yet, and never text that a suggestion has deleted. Positions stay valid.
 */
export function formatRanges(
  transform: Transform,
  ranges: readonly Range[],
  change: InlineChange,
): ('changed' | 'same' | 'code' | 'empty')[] {
  const type = transform.doc.type.schema.marks[change.type]
  if (!type) throw new Error(`the schema has no mark ${change.type}`)
  const attributes = change.type === 'link' ? { href: change.href } : null
  const before = transform.doc
  return ranges.map((range) => {
    const texts = textsIn(before, range, type)
    if (typeof texts === 'string') return texts
    const steps = transform.steps.length
    for (const { from, to, marks } of texts) {
      if (change.remove) {
        if (type.isInSet(marks)) transform.removeMark(from, to, type)
      } else if (!hasFormat(marks, type, attributes)) transform.addMark(from, to, type.create(attributes))
    }
    return transform.steps.length > steps ? 'changed' : 'same'
  })
}

// Highlights of any colour are equal; links are equal only if they have the same address.
function hasFormat(marks: readonly Mark[], type: MarkType, attributes: Attrs | null): boolean {
  const mark = type.isInSet(marks)
  return mark !== undefined && (attributes === null || mark.attrs.href === attributes.href)
}

type Text = Range & { marks: readonly Mark[] }

// Yjs stores marks only on text, so atoms are omitted.
function textsIn(doc: Node, { from, to }: Range, type: MarkType): Text[] | 'code' | 'empty' {
  const texts: Text[] = []
  let inCode = false
  doc.nodesBetween(from, to, (node, pos, parent) => {
    if (!isVisible(node)) return false
    if (!node.isText) return true
    if (parent?.type.allowsMarkType(type) !== true) inCode = true
    else texts.push({ from: Math.max(from, pos), to: Math.min(to, pos + node.nodeSize), marks: node.marks })
    return false
  })
  if (texts.length === 0) return inCode ? 'code' : 'empty'
  return merge(texts, type)
}

// Adjacent texts that are equal in this format change in one step.
function merge(texts: readonly Text[], type: MarkType): Text[] {
  const merged: Text[] = []
  for (const text of texts) {
    const last = merged.at(-1)
    const isAlike = last !== undefined && sameMark(type.isInSet(last.marks), type.isInSet(text.marks))
    if (last && last.to === text.from && isAlike) last.to = text.to
    else merged.push({ ...text })
  }
  return merged
}

function sameMark(a: Mark | undefined, b: Mark | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.eq(b)
}
