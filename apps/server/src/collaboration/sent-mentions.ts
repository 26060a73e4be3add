import { AGENT_MENTION } from '@copydesk/schema'
import * as Y from 'yjs'
import { blockText } from './block-text.ts'
import type { Ownership } from './client-ids.ts'

/**
 * A mention of an agent that a transaction inserted as `sent` or changed to `sent`. `instruction` is what its sender
 * wrote in the mention's block, without the mention; `context` is the whole text of the block, if others wrote parts of
 * it. A `refused` mention never starts a run.
 */
export type SentMention =
  | { requestId: string; refused?: undefined; instruction: string; context: string | undefined }
  | { requestId: string; refused: 'too_many_at_once' | 'unknown_agent' }

/** Whether the sender of the transaction wrote the item with this id. */
export type IsSenders = (id: Y.ID) => boolean

/**
 * Returns, for one transaction, which items its sender has written: those under the sender's client ids, according to
 * `ownershipOf` (see `ClientIds`), including ids that the transaction introduces. Items without an owner, such as those
 * the server wrote, don't count.
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
/** Each mention starts a run; this is more than people send in one update, even after a day offline. */
const mentionsInUpdate = 20
const longestId = 100

/**
 * The mentions of agents among touched elements that are `sent` now, each request once. All after the first twenty are
 * refused.
 */
export function findSentMentions(elements: Iterable<Y.XmlElement>, isSenders: IsSenders): SentMention[] {
  const found = new Map<string, SentMention>()
  let starting = 0
  for (const element of elements) {
    const sent = element.nodeName === 'mention' ? readSent(element) : undefined
    if (!sent || found.has(sent.requestId)) continue
    const { requestId } = sent
    if (sent.id !== AGENT_MENTION) found.set(requestId, { requestId, refused: 'unknown_agent' })
    else if (starting++ >= mentionsInUpdate) found.set(requestId, { requestId, refused: 'too_many_at_once' })
    else found.set(requestId, { requestId, ...readBlock(element, isSenders) })
  }
  return [...found.values()]
}

function readSent(element: Y.XmlElement): { id: unknown; requestId: string } | undefined {
  if (element._item?.deleted !== false) return undefined
  const { id, kind, state, requestId } = element.getAttributes() as Record<string, unknown>
  if (kind !== 'agent' || state !== 'sent') return undefined
  const isId = typeof requestId === 'string' && requestId.length > 0 && requestId.length <= longestId
  return isId ? { id, requestId } : undefined
}

/** The text of the mention's block: all of it, and the sender's part. */
function readBlock(mention: Y.XmlElement, isSenders: IsSenders): { instruction: string; context: string | undefined } {
  const block = mention.parent
  if (!(block instanceof Y.XmlElement)) return { instruction: '', context: undefined }
  const [own, all] = [blockText(block, mention, isSenders), blockText(block, mention)]
  return { instruction: own.slice(0, textLimit), context: own === all ? undefined : all.slice(0, textLimit) }
}
