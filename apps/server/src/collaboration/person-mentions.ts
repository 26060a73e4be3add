import * as Y from 'yjs'
import { blockText } from './block-text.ts'

/** A mention of a person in the text; `text` is that of its block. */
export type PersonMention = { requestId: string; person: string; text: string }

const longestId = 100
/** More than any text of a person has. */
const mentionsInUpdate = 1000

/** The mentions of people among touched elements, at most a thousand. */
export function findPersonMentions(elements: Iterable<Y.XmlElement>): PersonMention[] {
  const found = new Map<string, PersonMention>()
  const texts = new Map<unknown, string>()
  for (const element of elements) {
    if (found.size >= mentionsInUpdate) break
    const ids = element.nodeName === 'mention' ? readIds(element) : undefined
    const block = element.parent
    if (!ids || !(block instanceof Y.XmlElement)) continue
    const text = texts.get(block) ?? blockText(block)
    texts.set(block, text)
    found.set(ids.requestId, { ...ids, text })
  }
  return [...found.values()]
}

function readIds(element: Y.XmlElement): { requestId: string; person: string } | undefined {
  if (element._item?.deleted !== false) return undefined
  const { id, kind, requestId } = element.getAttributes() as Record<string, unknown>
  return kind === 'person' && isId(id) && isId(requestId) ? { requestId, person: id } : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= longestId
}
