import type { BindingMetadata } from '@copydesk/schema'
import { type Mark, type Node } from 'prosemirror-model'
import { ReplaceStep, type Step } from 'prosemirror-transform'
import * as Y from 'yjs'
import { elementsOf } from './blocks.ts'

type Delta = { insert?: unknown; attributes?: Record<string, unknown> }[]

/**
 * Writes a step that only replaces text inside one block straight into that block's Y types: exactly the characters that
 * it deletes go, and no Y type does. `updateYFragment` compares whole texts instead and drops a text type that became
 * empty beside a mention, and with it what somebody is typing there. Returns false, having written nothing, for every
 * other step. `metadata.mapping` then stands for `after`.
 */
export function writeTextStep(
  fragment: Y.XmlFragment,
  step: Step,
  before: Node,
  after: Node,
  metadata: BindingMetadata,
): boolean {
  if (!(step instanceof ReplaceStep) || step.slice.openStart > 0 || step.slice.openEnd > 0) return false
  const $from = before.resolve(step.from)
  if (!$from.parent.inlineContent || !$from.sameParent(before.resolve(step.to))) return false
  const inserted = step.slice.content.content
  if (!inserted.every((node) => node.isText)) return false
  const path = typePath(fragment, before, step.from)
  const block = path.at(-1)
  if (!(block instanceof Y.XmlElement)) return false
  const target = findText(block, $from.parentOffset)
  const parts = inserted.map((node) => ({ text: node.text ?? '', attributes: writeMarks(node.marks, target?.text) }))
  if (parts.some((part) => part.attributes === undefined)) return false

  deleteRange(block, $from.parentOffset, $from.parentOffset + step.to - step.from)
  insertParts(block, $from.parentOffset, parts)
  for (const text of block.toArray()) if (text instanceof Y.XmlText) metadata.mapping.delete(text)
  path.forEach((type, depth) => metadata.mapping.set(type, after.resolve(step.from).node(depth)))
  return true
}

// The Y types from the fragment down to the block that holds `pos`; shorter if the fragment has no such block.
function typePath(fragment: Y.XmlFragment, doc: Node, pos: number): Y.XmlFragment[] {
  const $pos = doc.resolve(pos)
  const path: Y.XmlFragment[] = [fragment]
  for (let depth = 0; depth < $pos.depth; depth++) {
    const parent = path[depth]
    const child = parent && elementsOf(parent)[$pos.index(depth)]
    if (!child) return []
    path.push(child)
  }
  return path
}

function sizeOf(child: unknown): number {
  return child instanceof Y.XmlText ? child.length : 1
}

function findText(block: Y.XmlElement, offset: number): { text: Y.XmlText; at: number } | undefined {
  let start = 0
  for (const child of block.toArray()) {
    const end = start + sizeOf(child)
    if (child instanceof Y.XmlText && start <= offset && offset <= end) return { text: child, at: offset - start }
    start = end
  }
  return undefined
}

function deleteRange(block: Y.XmlElement, from: number, to: number): void {
  let end = block.toArray().reduce((sum, child) => sum + sizeOf(child), 0)
  const children = block.toArray()
  for (let index = children.length - 1; index >= 0; index--) {
    const child = children[index]
    const start = end - sizeOf(child)
    const first = Math.max(from, start)
    const last = Math.min(to, end)
    if (first < last) {
      if (child instanceof Y.XmlText) child.delete(first - start, last - first)
      else block.delete(index, 1)
    }
    end = start
  }
}

type Part = { text: string; attributes: Record<string, unknown> | undefined }

function insertParts(block: Y.XmlElement, offset: number, parts: readonly Part[]): void {
  if (parts.length === 0) return
  const found = findText(block, offset)
  const text = found?.text ?? insertText(block, offset)
  let at = found?.at ?? 0
  for (const part of parts) {
    text.insert(at, part.text, part.attributes ?? {})
    at += part.text.length
  }
}

function insertText(block: Y.XmlElement, offset: number): Y.XmlText {
  let index = 0
  let start = 0
  for (const child of block.toArray()) {
    if (start >= offset) break
    start += sizeOf(child)
    index++
  }
  const text = new Y.XmlText()
  block.insert(index, [text])
  return text
}

// A mark that may overlap with its own kind is stored under `name--hash`; only y-prosemirror knows how to make the hash,
// so it is taken from where the mark already stands.
function writeMarks(marks: readonly Mark[], text: Y.XmlText | undefined): Record<string, unknown> | undefined {
  const attributes: Record<string, unknown> = {}
  for (const mark of marks) {
    const name = mark.type.excludes(mark.type) ? mark.type.name : storedName(mark, text)
    if (name === undefined) return undefined
    attributes[name] = mark.attrs
  }
  return attributes
}

function storedName(mark: Mark, text: Y.XmlText | undefined): string | undefined {
  const delta: Delta = text?.toDelta() ?? []
  for (const part of delta) {
    for (const [name, value] of Object.entries(part.attributes ?? {})) {
      if (name.startsWith(`${mark.type.name}--`) && mark.eq(mark.type.create(value as Mark['attrs']))) return name
    }
  }
  return undefined
}
