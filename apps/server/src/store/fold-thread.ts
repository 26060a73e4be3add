import { contentTypes } from '@copydesk/schema/names'
import * as Y from 'yjs'
import { answerRequests } from '../threads/thread-worker.ts'
import { applyUpdates } from './apply-updates.ts'
import { foldText } from './fold-text.ts'
import { createVerbatimDoc } from './verbatim-doc.ts'

/** Updates in log order, the newest snapshot first. */
export type FoldRequest = { updates: Uint8Array[]; withText: boolean }
/** The state of all of them together, and the text of the content for search. */
export type FoldResponse = { state: Uint8Array; text: string }

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

answerRequests<FoldRequest, FoldResponse>(({ updates, withText }) => {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  const text = withText ? textOf(doc.getXmlFragment(contentTypes.fragment)) : ''
  return { state: Y.encodeStateAsUpdate(doc), text: foldText(text) }
})
