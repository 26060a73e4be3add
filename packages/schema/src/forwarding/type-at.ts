import * as Y from 'yjs'
import { schema } from '../extensions.ts'
import type { IdRange } from '../ids/id-map.ts'
import type { Place } from './text-moves.ts'

type Attributes = Record<string, unknown>

/**
 * Text that was inserted, and the id of its first character. `first` is the first item that was written for the text,
 * which may contain a mark or the text's type; `end` is the clock after the last one.
 */
export type TypedText = { text: Y.XmlText; id: Y.ID; first: Y.Item; end: number }

/**
 * Inserts text at a position whose type exists, with the marks that an editor would set; of suggested changes only
 * `tracked`, the value of the typist's own insertion.
 */
export function typeAt(place: Place, text: string, tracked?: unknown): TypedText | undefined {
  const { doc } = 'block' in place ? place.block : place.text
  if (!doc) return undefined
  const clock = Y.getState(doc.store, doc.clientID)
  const target = 'block' in place ? textOf(place.block) : place.text
  const { index, left, right } = 'block' in place ? { index: 0, left: undefined, right: undefined } : around(place)
  const attributes = { ...marksBetween(left, right), ...(tracked ? { insertion: tracked } : {}) }
  target.insert(index, text, allowedIn(target, attributes))
  // The characters may come after the items of their marks.
  const structs = doc.store.clients.get(doc.clientID) ?? []
  const written = structs.slice(Y.findIndexSS(structs, clock)).filter((struct) => struct instanceof Y.Item)
  const string = written.find(({ content }) => content instanceof Y.ContentString)
  const end = Y.getState(doc.store, doc.clientID)
  return string && written[0] ? { text: target, id: string.id, first: written[0], end } : undefined
}

/** Deletes consecutive characters of a text, of which none is deleted. */
export function deleteAt(text: Y.XmlText, { client, clock, len }: IdRange): void {
  text.delete(around({ text, id: Y.createID(client, clock), side: 'before' }).index, len)
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

// The rule of ProseMirror: the marks of the preceding text, without non-inclusive marks that end at this position.
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
