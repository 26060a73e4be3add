import { type ContentMatch, Fragment, type Node, type NodeType, type Schema } from 'prosemirror-model'
import * as Y from 'yjs'

/**
 * Inserts content that the schema requires and these elements lack: an empty paragraph in a list item without its first
 * paragraph, an empty item in a list without items. Such a list results if two users concurrently delete one of two
 * items each, and an editor that reads it deletes the list with any text that another user is writing in it. Never
 * deletes anything. Returns whether it changed any element; an element that can't be completed is unchanged.
 */
export function completeContainers(elements: Iterable<Y.XmlElement>, schema: Schema): boolean {
  let isChanged = false
  for (const element of elements) {
    const type = schema.nodes[element.nodeName]
    if (type && !isFree(type)) isChanged = completeElement(element, type) || isChanged
  }
  return isChanged
}

/** Whether an element needs `completeContainers`. */
export function isIncomplete(element: Y.XmlElement, schema: Schema): boolean {
  const type = schema.nodes[element.nodeName]
  if (!type || isFree(type)) return false
  let match: ContentMatch | null = type.contentMatch
  for (const child of element.toArray()) {
    match = matchChild(match, child, schema)
    if (!match) return true
  }
  return !match.validEnd
}

// Any content in any order is complete.
function isFree({ contentMatch }: NodeType): boolean {
  if (!contentMatch.validEnd) return false
  for (let index = 0; index < contentMatch.edgeCount; index++) {
    if (contentMatch.edge(index).next !== contentMatch) return false
  }
  return true
}

function completeElement(element: Y.XmlElement, type: NodeType): boolean {
  let match = type.contentMatch
  let at = 0
  let isChanged = false
  for (const child of element.toArray()) {
    let next = matchChild(match, child, type.schema)
    if (!next) {
      const filler = fillerBefore(match, child, type.schema)
      if (!filler) return isChanged
      at += insert(element, at, filler)
      isChanged = true
      next = matchChild(match.matchFragment(filler) ?? match, child, type.schema)
      if (!next) return isChanged
    }
    match = next
    at += 1
  }
  const rest = match.validEnd ? undefined : match.fillBefore(Fragment.empty, true)
  return rest ? insert(element, at, rest) > 0 || isChanged : isChanged
}

function matchChild(match: ContentMatch, child: unknown, schema: Schema): ContentMatch | null {
  const type = childType(child, schema)
  // Editors ignore empty text.
  if (type?.isText && child instanceof Y.XmlText && child.length === 0) return match
  return type ? match.matchType(type) : null
}

function fillerBefore(match: ContentMatch, child: unknown, schema: Schema): Fragment | null {
  const type = childType(child, schema)
  return type && !type.isText ? match.fillBefore(Fragment.from(type.create())) : null
}

function childType(child: unknown, schema: Schema): NodeType | undefined {
  if (child instanceof Y.XmlText) return schema.nodes.text
  return child instanceof Y.XmlElement ? schema.nodes[child.nodeName] : undefined
}

function insert(element: Y.XmlElement, at: number, nodes: Fragment): number {
  const added = nodes.content.map(elementOf)
  element.insert(at, added)
  return added.length
}

/** The filler of a gap consists of empty blocks, without text or marks. */
function elementOf(node: Node): Y.XmlElement {
  const element = new Y.XmlElement(node.type.name)
  for (const [name, value] of Object.entries(node.attrs as Record<string, unknown>)) {
    // The form that y-prosemirror writes; its types declare only strings.
    if (value !== null) element.setAttribute(name, value as string)
  }
  element.insert(0, node.content.content.map(elementOf))
  return element
}
