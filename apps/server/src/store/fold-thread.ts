import { parentPort } from 'node:worker_threads'
import * as Y from 'yjs'
import { contentTypes } from '@copydesk/schema/names'
import { foldText } from './fold-text.ts'
import { createVerbatimDoc } from './verbatim-doc.ts'

/** Updates in log order, the newest snapshot first. */
export type FoldRequest = { id: number; updates: Uint8Array[]; withText: boolean }
/** The state of all of them together, and the text of the content for search. */
export type FoldResponse = { id: number; state: Uint8Array; text: string } | { id: number; error: string }

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

function fold({ id, updates, withText }: FoldRequest): FoldResponse {
  try {
    const doc = createVerbatimDoc()
    Y.applyUpdate(doc, Y.mergeUpdates(updates))
    const text = withText ? textOf(doc.getXmlFragment(contentTypes.fragment)) : ''
    return { id, state: Y.encodeStateAsUpdate(doc), text: foldText(text) }
  } catch (error) {
    return { id, error: String(error) }
  }
}

parentPort?.on('message', (request: FoldRequest) => parentPort?.postMessage(fold(request)))
