import { AGENT_MENTION } from '@copydesk/schema'
import * as Y from 'yjs'
import { blockText } from './block-text.ts'

/** A mention of the agent that a transaction inserted as `sent` or turned `sent`. */
export type SentMention = { requestId: string; instruction: string }

const instructionLimit = 20_000
/** Each starts a run: beyond what people send at once, even after a day offline. */
const mentionsInUpdate = 20

/** The mentions of the agent among elements that were touched which are `sent` now, at most twenty. */
export function findSentMentions(elements: Iterable<Y.XmlElement>): SentMention[] {
  const found = new Map<string, SentMention>()
  for (const element of elements) {
    if (found.size >= mentionsInUpdate) break
    const sent = element.nodeName === 'mention' ? readSentMention(element) : undefined
    if (sent) found.set(sent.requestId, sent)
  }
  return [...found.values()]
}

function readSentMention(element: Y.XmlElement): SentMention | undefined {
  if (element._item?.deleted !== false) return undefined
  const { id, kind, state, requestId } = element.getAttributes() as Record<string, unknown>
  if (kind !== 'agent' || state !== 'sent' || id !== AGENT_MENTION) return undefined
  if (typeof requestId !== 'string' || requestId.length === 0 || requestId.length > 100) return undefined
  return { requestId, instruction: instructionAround(element).slice(0, instructionLimit) }
}

/** The text of the mention's block without the mention itself. */
function instructionAround(mention: Y.XmlElement): string {
  const block = mention.parent
  return block instanceof Y.XmlElement ? blockText(block, mention) : ''
}
