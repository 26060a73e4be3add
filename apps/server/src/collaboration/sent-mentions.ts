import { AGENT_MENTION } from '@copydesk/schema'
import * as Y from 'yjs'
import { blockText } from './block-text.ts'
import type { Ownership } from './client-ids.ts'

/**
 * A mention of an agent that a transaction inserted as `sent` or turned `sent`. `instruction` is what its sender has
 * written in its block, without the mention; `context` is all that the block says, where others have written parts of
 * it. One that is `refused` starts nothing, now or later.
 */
export type SentMention =
  | { requestId: string; refused?: undefined; instruction: string; context: string | undefined }
  | { requestId: string; refused: 'too_many_at_once' | 'unknown_agent' }

/** Whether the sender of what is being looked at has written what stands under an id. */
export type IsSenders = (id: Y.ID) => boolean

/**
 * Tells, for one transaction, what its sender has written: what stands under client ids of theirs, by `ownershipOf`
 * (see `ClientIds`). Those that it is the first to write under are theirs, too. What is nobody's, such as what the
 * server wrote, is not.
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
/** Each starts a run: beyond what people send at once, even after a day offline. */
const mentionsInUpdate = 20
const longestId = 100

/**
 * The mentions of agents among elements that were touched which are `sent` now, each request once; all beyond twenty
 * are refused.
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

/** What the mention's block says: all of it, and what of it is the sender's. */
function readBlock(mention: Y.XmlElement, isSenders: IsSenders): { instruction: string; context: string | undefined } {
  const block = mention.parent
  if (!(block instanceof Y.XmlElement)) return { instruction: '', context: undefined }
  const [own, all] = [blockText(block, mention, isSenders), blockText(block, mention)]
  return { instruction: own.slice(0, textLimit), context: own === all ? undefined : all.slice(0, textLimit) }
}
