import { AGENT_MENTION } from '@copydesk/schema'
import * as Y from 'yjs'
import type { Ownership } from './client-ids.ts'

/**
 * A mention of an agent that a transaction inserted as `sent` or changed to `sent`. `instruction` is the sender's text
 * in the mention's block, without the mention; `context` is the whole text of the block, if other people wrote parts of
 * it. A `refused` mention never starts a run.
 */
export type SentMention =
  | {
      requestId: string
      refused?: undefined
      instruction: string
      context: string | undefined
      /** The id of a named agent, which may not exist; the default agent without one. */
      agent?: string | undefined
    }
  | { requestId: string; refused: 'too_many_at_once' | 'unknown_agent'; agent?: undefined }

/** Whether the sender of the transaction wrote the item with this id. */
export type IsSenders = (id: Y.ID) => boolean

/**
 * Returns a predicate for one transaction: whether its sender has written an item, which holds for the sender's client
 * ids according to `ownershipOf` (see `ClientIds`), including ids that the transaction introduces. Items without an
 * owner, such as those that the server wrote, don't count.
 */
export function sendersOf(
  { beforeState }: Pick<Y.Transaction, 'beforeState'>,
  ownershipOf: (client: number, isKnown: boolean) => Ownership,
): IsSenders {
  const known = new Map<number, boolean>()
  return ({ client }) => {
    let isOwn = known.get(client)
    if (isOwn === undefined) {
      const ownership = ownershipOf(client, beforeState.has(client))
      isOwn = ownership === 'own' || ownership === 'free'
      known.set(client, isOwn)
    }
    return isOwn
  }
}

const textLimit = 20_000
/** Each mention starts a run; people send fewer mentions in one update, even after a day offline. */
const mentionsInUpdate = 20
const longestId = 100

/**
 * The mentions of agents among touched elements that are `sent` now, each request once. All mentions after the first
 * twenty are refused.
 */
export function findSentMentions(elements: Iterable<Y.XmlElement>, isSenders: IsSenders): SentMention[] {
  const found = new Map<string, SentMention>()
  let starting = 0
  for (const element of elements) {
    const sent = element.nodeName === 'mention' ? readSent(element) : undefined
    if (!sent || found.has(sent.requestId)) continue
    const { requestId, id } = sent
    const agent = id === AGENT_MENTION ? undefined : id
    if (agent !== undefined && !isId(agent)) found.set(requestId, { requestId, refused: 'unknown_agent' })
    else if (starting++ >= mentionsInUpdate) found.set(requestId, { requestId, refused: 'too_many_at_once' })
    else found.set(requestId, { requestId, agent, ...readBlock(element, isSenders) })
  }
  return [...found.values()]
}

function readSent(element: Y.XmlElement): { id: unknown; requestId: string } | undefined {
  if (element._item?.deleted !== false) return undefined
  const { id, kind, state, requestId } = element.getAttributes() as Record<string, unknown>
  if (kind !== 'agent' || state !== 'sent') return undefined
  return isId(requestId) ? { id, requestId } : undefined
}

/** The text of the mention's block: the whole text, and the sender's part. */
function readBlock(mention: Y.XmlElement, isSenders: IsSenders): { instruction: string; context: string | undefined } {
  const block = mention.parent
  if (!(block instanceof Y.XmlElement)) return { instruction: '', context: undefined }
  const [own, all] = [blockText(block, mention, isSenders), blockText(block, mention)]
  return { instruction: own.slice(0, textLimit), context: own === all ? undefined : all.slice(0, textLimit) }
}

/** A mention of a person in the text; `text` is the text of its block. */
export type PersonMention = { requestId: string; person: string; text: string }

/** More than any real text contains. */
const peopleInUpdate = 1000

/** The mentions of people among touched elements, at most a thousand. */
export function findPersonMentions(elements: Iterable<Y.XmlElement>): PersonMention[] {
  const found = new Map<string, PersonMention>()
  const texts = new Map<unknown, string>()
  for (const element of elements) {
    if (found.size >= peopleInUpdate) break
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

/** Replaces omitted text, so that the words before and after it neither join nor become an address. */
const gap = '…'

/**
 * The text of a block as readers see it: mentions as `@label`, formulas as LaTeX. Omits `except`, and text whose id
 * `isWanted` rejects; an ellipsis replaces rejected text between two wanted texts.
 */
function blockText(block: Y.XmlElement, except?: Y.XmlElement, isWanted: (id: Y.ID) => boolean = all): string {
  const parts = block.toArray().map((child) => {
    if (child === except) return ' '
    if (child instanceof Y.XmlText) return plainText(child, isWanted)
    if (!(child instanceof Y.XmlElement) || !child._item) return ''
    if (!isWanted(child._item.id)) return gap
    if (child.nodeName === 'mention') return `@${textAttribute(child, 'label', isWanted)}`
    return child.nodeName === 'hardBreak' ? '\n' : textAttribute(child, 'latex', isWanted)
  })
  const text = parts.join('').replace(/[ \t]+/g, ' ')
  return isWanted === all ? text.trim() : text.replace(/…+/g, gap).replace(/^[\s…]+|[\s…]+$/g, '')
}

function all(): boolean {
  return true
}

// Clients can write any JSON in place of text, and can set attributes on elements that other clients inserted.
function textAttribute(element: Y.XmlElement, name: string, isWanted: (id: Y.ID) => boolean): string {
  const value: unknown = element.getAttribute(name)
  const written = element._map.get(name)
  if (typeof value !== 'string' || !written) return ''
  return isWanted(written.id) ? value : gap
}

function plainText(text: Y.XmlText, isWanted: (id: Y.ID) => boolean): string {
  let plain = ''
  for (let item = text._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue
    plain += isWanted(item.id) ? item.content.str : gap
  }
  return plain
}
