import * as buffer from 'lib0/buffer'
import * as sha256 from 'lib0/hash/sha256'
import type { Mark, Node } from 'prosemirror-model'
import * as Y from 'yjs'
import { elementsOf } from '../../document/blocks.ts'

const names = new WeakMap<Mark, string>()
const hashLength = 6

/** A mark's name and value as y-prosemirror stores them in a text's attributes. */
export function storedMark(mark: Mark): [name: string, value: Mark['attrs']] {
  if (mark.type.excludes(mark.type)) return [mark.type.name, mark.attrs]
  // A mark that may overlap with its own kind is stored under a name that distinguishes its values.
  const name = names.get(mark) ?? `${mark.type.name}--${hashOfJson(mark.toJSON())}`
  names.set(mark, name)
  return [name, mark.attrs]
}

/**
 * The hash under which y-prosemirror stores a mark that may overlap with its own kind: SHA-256 over lib0's encoding,
 * folded to six bytes, in base64. The library doesn't export it; a test compares the two.
 */
export function hashOfJson(json: unknown): string {
  const digest = sha256.digest(buffer.encodeAny(json))
  for (let index = hashLength; index < digest.length; index++) {
    digest[index % hashLength] = (digest[index % hashLength] ?? 0) ^ (digest[index] ?? 0)
  }
  return buffer.toBase64(digest.slice(0, hashLength))
}

/** Marks as the attributes of a text in Yjs. */
export function storedMarks(marks: readonly Mark[]): Record<string, unknown> {
  return Object.fromEntries(marks.map(storedMark))
}

/** New Y types for sibling nodes, like those of y-prosemirror: adjacent texts share one Y.XmlText. */
export function createTypes(nodes: readonly Node[]): (Y.XmlElement | Y.XmlText)[] {
  const types: (Y.XmlElement | Y.XmlText)[] = []
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]
    if (!node) continue
    if (!node.isText) {
      types.push(createElement(node))
      continue
    }
    const run: Node[] = []
    for (let next: Node | undefined = node; next?.isText; next = nodes[++index]) run.push(next)
    index--
    types.push(createText(run))
  }
  return types
}

function createElement(node: Node): Y.XmlElement {
  const element = new Y.XmlElement(node.type.name)
  const attributes: Attributes = node.attrs
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) setAttribute(element, name, value)
  }
  element.insert(0, createTypes(node.content.content))
  return element
}

function createText(run: readonly Node[]): Y.XmlText {
  const text = new Y.XmlText()
  text.applyDelta(run.map((node) => ({ insert: node.text ?? '', attributes: storedMarks(node.marks) })))
  return text
}

type AttributeValue = string | number | boolean | object
type Attributes = Record<string, AttributeValue | null | undefined>

/**
 * Writes the attributes of a node that differ from those of its element; null values are omitted, as in y-prosemirror.
 */
export function writeAttributes(element: Y.XmlElement, node: Node): void {
  const known: Record<string, unknown> = element.getAttributes()
  const attributes: Attributes = node.attrs
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) {
      if (name in known) element.removeAttribute(name)
    } else if (known[name] !== value) setAttribute(element, name, value)
  }
}

// Yjs declares attributes as strings but stores any JSON.
function setAttribute(element: Y.XmlElement, name: string, value: AttributeValue): void {
  const loose = element as Y.XmlElement<Record<string, AttributeValue>>
  loose.setAttribute(name, value)
}

/** The element children of a Y type, like `elementsOf`, with a cache. */
export type ChildList = (type: Y.XmlFragment) => readonly Y.XmlElement[]

/**
 * A `ChildList` that is valid while no element is added or removed: a long transform requests the same lists
 * repeatedly. `known` are lists that the caller already has.
 */
export function createChildList(known = new Map<Y.XmlFragment, readonly Y.XmlElement[]>()): ChildList {
  return (type) => {
    const listed = known.get(type) ?? elementsOf(type)
    known.set(type, listed)
    return listed
  }
}

/** The Y types from the fragment down to the node that directly holds `pos`; empty if the fragment has no such node. */
export function typePath(fragment: Y.XmlFragment, doc: Node, pos: number, childrenOf: ChildList): Y.XmlFragment[] {
  const $pos = doc.resolve(pos)
  const path: Y.XmlFragment[] = [fragment]
  for (let depth = 0; depth < $pos.depth; depth++) {
    const parent = path[depth]
    const child = parent && childrenOf(parent)[$pos.index(depth)]
    if (!child) return []
    path.push(child)
  }
  return path
}

/** The number of ProseMirror positions of an inline Y child. */
export function inlineSize(child: unknown): number {
  return child instanceof Y.XmlText ? child.length : 1
}

/** The first text of a block that reaches an offset of its content, and the offset within that text. */
export function textAt(block: Y.XmlElement, offset: number): { text: Y.XmlText; at: number } | undefined {
  let start = 0
  for (const child of block.toArray()) {
    const end = start + inlineSize(child)
    if (child instanceof Y.XmlText && start <= offset && offset <= end) return { text: child, at: offset - start }
    start = end
  }
  return undefined
}
