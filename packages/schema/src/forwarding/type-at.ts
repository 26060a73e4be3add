import * as Y from 'yjs'
import { schema } from '../extensions.ts'
import type { Place } from './text-moves.ts'

type Attributes = Record<string, unknown>

/**
 * Inserts text at a position whose type exists, with the marks that an editor would give it; of suggested changes only
 * `tracked`, the value of the typist's own insertion. Returns the position of the text.
 */
export function typeAt(place: Place, text: string, tracked?: unknown): { text: Y.XmlText; id: Y.ID } | undefined {
  const target = 'block' in place ? textOf(place.block) : place.text
  const { doc } = target
  if (!doc) return undefined
  const { index, left, right } = 'block' in place ? { index: 0, left: undefined, right: undefined } : around(place)
  const attributes = { ...marksBetween(left, right), ...(tracked ? { insertion: tracked } : {}) }
  const clock = Y.getState(doc.store, doc.clientID)
  target.insert(index, text, allowedIn(target, attributes))
  // The characters may come after the items of their marks.
  const structs = doc.store.clients.get(doc.clientID) ?? []
  for (let each = Y.findIndexSS(structs, clock); each < structs.length; each++) {
    const struct = structs[each]
    if (struct instanceof Y.Item && struct.content instanceof Y.ContentString) return { text: target, id: struct.id }
  }
  return undefined
}

function textOf(block: Y.XmlElement): Y.XmlText {
  const found = block.toArray().find((child) => child instanceof Y.XmlText)
  if (found) return found
  const text = new Y.XmlText()
  block.insert(0, [text])
  return text
}

type Around = { index: number; left: Attributes | undefined; right: Attributes | undefined }

/** The index of a position in its text, and the marks of the characters on both sides; undefined if there is none. */
function around({ text, id, side }: Exclude<Place, { block: Y.XmlElement }>): Around {
  const current: Attributes = {}
  let index = 0
  let left: Attributes | undefined
  let isBehind = false
  for (let item = text._start; item !== null; item = item.right) {
    const isTarget = item.id.client === id.client && item.id.clock <= id.clock && id.clock < item.id.clock + item.length
    if (item.deleted) {
      isBehind ||= isTarget
      continue
    }
    if (item.content instanceof Y.ContentFormat) setMark(current, item.content.key, item.content.value)
    if (!item.countable) continue
    if (isBehind) return { index, left, right: { ...current } }
    const taken = isTarget ? id.clock - item.id.clock + (side === 'after' ? 1 : 0) : item.length
    index += taken
    if (taken > 0) left = { ...current }
    if (isTarget && taken < item.length) return { index, left, right: { ...current } }
    isBehind ||= isTarget
  }
  return { index, left, right: undefined }
}

function setMark(current: Attributes, key: string, value: unknown): void {
  if (value === null) delete current[key]
  else current[key] = value
}

const ofChanges: ReadonlySet<string> = new Set(['insertion', 'deletion', 'formattingChange'])

// The rule of ProseMirror: the marks of the preceding text, without non-inclusive marks that end there.
function marksBetween(left: Attributes | undefined, right: Attributes | undefined): Attributes {
  const other = left ? right : left
  return Object.fromEntries(
    Object.entries(left ?? right ?? {}).filter(([key]) => {
      const name = nameOf(key)
      return !ofChanges.has(name) && (schema.marks[name]?.spec.inclusive !== false || (other && key in other))
    }),
  )
}

function allowedIn(text: Y.XmlText, attributes: Attributes): Attributes {
  const block = text.parent instanceof Y.XmlElement ? schema.nodes[text.parent.nodeName] : undefined
  return Object.fromEntries(
    Object.entries(attributes).filter(([key]) => {
      const mark = schema.marks[nameOf(key)]
      return mark && block?.allowsMarkType(mark)
    }),
  )
}

// A mark that may overlap with its own kind is stored as `name--hash`.
function nameOf(key: string): string {
  return key.split('--')[0] ?? key
}
