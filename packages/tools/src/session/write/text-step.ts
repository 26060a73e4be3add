import type { BindingMetadata } from '@copydesk/schema'
import type { Node } from 'prosemirror-model'
import type { ReplaceStep } from 'prosemirror-transform'
import * as Y from 'yjs'
import { type ChildList, inlineSize, storedMarks, textAt, typePath } from './y-types.ts'

/**
 * Writes a step that only replaces text inside one block directly into that block's Y types: deletes exactly the
 * characters of the step, and no Y type. `updateYFragment` compares whole texts instead and deletes a text type that
 * became empty next to a mention, together with text that another user is typing there. Returns false, having written
 * nothing, for every other step.
 */
export function writeTextStep(
  fragment: Y.XmlFragment,
  step: ReplaceStep,
  before: Node,
  metadata: BindingMetadata,
  childrenOf: ChildList,
): boolean {
  if (step.slice.openStart > 0 || step.slice.openEnd > 0) return false
  const $from = before.resolve(step.from)
  if (!$from.parent.inlineContent || !$from.sameParent(before.resolve(step.to))) return false
  const inserted = step.slice.content.content
  if (!inserted.every((node) => node.isText)) return false
  const path = typePath(fragment, before, step.from, childrenOf)
  const block = path.at(-1)
  if (!(block instanceof Y.XmlElement)) return false
  const parts = inserted.map((node) => ({ text: node.text ?? '', attributes: storedMarks(node.marks) }))
  for (const type of path) metadata.mapping.delete(type)
  deleteRange(block, $from.parentOffset, $from.parentOffset + step.to - step.from)
  insertParts(block, $from.parentOffset, parts)
  for (const text of block.toArray()) if (text instanceof Y.XmlText) metadata.mapping.delete(text)
  return true
}

function deleteRange(block: Y.XmlElement, from: number, to: number): void {
  const children = block.toArray()
  let end = children.reduce((sum: number, child) => sum + inlineSize(child), 0)
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index]
    const start = end - inlineSize(child)
    const first = Math.max(from, start)
    const last = Math.min(to, end)
    if (first < last) {
      if (child instanceof Y.XmlText) child.delete(first - start, last - first)
      else block.delete(index, 1)
    }
    end = start
  }
}

type Part = { text: string; attributes: Record<string, unknown> }

function insertParts(block: Y.XmlElement, offset: number, parts: readonly Part[]): void {
  if (parts.length === 0) return
  const found = textAt(block, offset)
  const text = found?.text ?? insertText(block, offset)
  const at = found?.at ?? 0
  // All in one delta: each separate insert would walk the text from its start.
  if (parts.length > 8) {
    const inserts = parts.map((part) => ({ insert: part.text, attributes: part.attributes }))
    return text.applyDelta([...(at > 0 ? [{ retain: at }] : []), ...inserts])
  }
  let end = at
  for (const part of parts) {
    text.insert(end, part.text, part.attributes)
    end += part.text.length
  }
}

function insertText(block: Y.XmlElement, offset: number): Y.XmlText {
  let index = 0
  let start = 0
  for (const child of block.toArray()) {
    if (start >= offset) break
    start += inlineSize(child)
    index++
  }
  const text = new Y.XmlText()
  block.insert(index, [text])
  return text
}
