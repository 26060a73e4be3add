import { STRUCTURE_LIMITS } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema/names'
import * as Y from 'yjs'
import { answerRequests } from '../threads/thread-worker.ts'
import { applyUpdates } from './apply-updates.ts'
import { inCausalOrder } from './causal-order.ts'
import { decodeUpdate } from './decode-update.ts'
import { foldText } from './fold-text.ts'
import { UpdateTooCostlyError } from './scan-update.ts'
import { TrialIntegration } from './trial-integration.ts'
import { createVerbatimDoc } from './verbatim-doc.ts'

/** Updates in log order, the newest snapshot first. */
export type FoldRequest = { updates: Uint8Array[]; withText: boolean }
/** The state of all of them together, the text of the content for search, and how many steps it takes to find the places of its items. */
export type FoldResponse = { state: Uint8Array; text: string; steps: number }

function textOf(node: Y.XmlFragment | Y.XmlText | Y.XmlHook): string {
  if (node instanceof Y.XmlText) {
    const delta: { insert?: unknown }[] = node.toDelta()
    return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
  }
  if (node instanceof Y.XmlElement && node.nodeName === 'mention') return `@${String(node.getAttribute('label') ?? '')}`
  if (!(node instanceof Y.XmlFragment)) return ''
  const children = node.toArray().map(textOf)
  const isTextBlock = node.toArray().some((child) => child instanceof Y.XmlText)
  return isTextBlock ? children.join('') : children.join('\n')
}

/** At most as many as a document may take. */
function stepsOf(state: Uint8Array): number {
  const doc = new Y.Doc()
  for (const root of Object.values(contentTypes)) doc.get(root)
  const trial = new TrialIntegration(doc, STRUCTURE_LIMITS.steps)
  try {
    for (const struct of inCausalOrder(decodeUpdate(state).structs, () => 0)) trial.add(struct)
    return trial.steps
  } catch (error) {
    if (error instanceof UpdateTooCostlyError) return STRUCTURE_LIMITS.steps
    throw error
  }
}

answerRequests<FoldRequest, FoldResponse>(({ updates, withText }) => {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  const text = withText ? textOf(doc.getXmlFragment(contentTypes.fragment)) : ''
  const state = Y.encodeStateAsUpdate(doc)
  return { state, text: foldText(text), steps: withText ? stepsOf(state) : 0 }
})
