import { STRUCTURE_LIMITS } from '@copydesk/protocol'
import { contentTypes } from '@copydesk/schema/names'
import * as Y from 'yjs'
import { answerRequests } from '../../threads/thread-worker.ts'
import { applyUpdates, createVerbatimDoc } from '../updates/verbatim-doc.ts'
import { inCausalOrder } from '../updates/causal-order.ts'
import { decodeUpdate } from '../updates/decode-update.ts'
import { summarizeText, type TextSummary } from '../first-words.ts'
import { UpdateTooCostlyError } from '../updates/scan-update.ts'
import { TrialIntegration } from '../updates/trial-integration.ts'

/** Updates in log order, the newest snapshot first. */
export type FoldRequest = { updates: Uint8Array[]; withText: boolean }
/** The merged state of all updates, a summary of the content's text, and the integration steps of its items. */
export type FoldResponse = { state: Uint8Array; summary: TextSummary | undefined; steps: number }

type TextPart = Y.XmlFragment | Y.XmlText | Y.XmlHook | string

/**
 * The text of a fragment, one line per block, captions of images included. Iterative, because blocks may nest deeper
 * than the call stack allows.
 */
function textOf(fragment: Y.XmlFragment): string {
  const lines: string[] = []
  let line: string[] = []
  const endLine = (): void => {
    if (line.some((piece) => piece !== '')) lines.push(line.join(''))
    line = []
  }
  const pending: TextPart[] = [fragment]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === 'string') endLine()
    else if (part instanceof Y.XmlText) line.push(plainText(part))
    else if (part instanceof Y.XmlElement && part.nodeName === 'mention') line.push(mentionText(part))
    else if (part instanceof Y.XmlElement && part.nodeName === 'hardBreak') line.push(' ')
    else if (part instanceof Y.XmlElement && part.nodeName === 'image') {
      endLine()
      line.push(captionText(part))
      endLine()
    } else if (part instanceof Y.XmlFragment) {
      const children: TextPart[] = part.toArray()
      const isTextBlock = children.some((child) => child instanceof Y.XmlText)
      // A text block ends its own line and any line before it.
      if (isTextBlock) children.push(lineEnd)
      for (const child of children.toReversed()) pending.push(child)
    }
  }
  endLine()
  return lines.join('\n')
}

const lineEnd = '\n'

type Piece = { insert?: unknown; attributes?: Record<string, unknown> }

/**
 * The text with its suggested changes, those that delete and those that insert: a search finds both. A space separates
 * the two texts of a replacement, whose words would join.
 */
function plainText(text: Y.XmlText): string {
  let plain = ''
  let before: string | undefined
  for (const { insert, attributes } of text.toDelta() as Piece[]) {
    if (typeof insert !== 'string') continue
    const now = suggestionOf(attributes)
    const isReplacement = before !== undefined && now !== undefined && before !== now
    if (isReplacement && !isSpace(plain.at(-1)) && !isSpace(insert[0])) plain += ' '
    plain += insert
    before = now
  }
  return plain
}

/** What a suggestion does with a text, whose marks may be stored as `name--hash`; undefined without a suggestion. */
function suggestionOf(attributes: Piece['attributes'] = {}): 'deletion' | 'insertion' | undefined {
  const marks = new Set(Object.keys(attributes).map((name) => name.replace(/--.*/, '')))
  return marks.has('deletion') ? 'deletion' : marks.has('insertion') ? 'insertion' : undefined
}

function isSpace(character = ''): boolean {
  return character.trim() === ''
}

function mentionText(mention: Y.XmlElement): string {
  return `@${String(mention.getAttribute('label') ?? '')}`
}

function captionText(image: Y.XmlElement): string {
  const title: unknown = image.getAttribute('title')
  return typeof title === 'string' ? title : ''
}

/** The integration steps of a state, at most the limit for a document. */
function stepsOf(state: Uint8Array): number {
  const doc = new Y.Doc()
  for (const root of Object.values(contentTypes)) doc.get(root)
  const trial = new TrialIntegration(doc, STRUCTURE_LIMITS.steps)
  try {
    for (const struct of inCausalOrder(decodeUpdate(state).structs, () => 0)) trial.add(struct)
    return trial.steps
  } catch (error) {
    // Older servers may have stored items between neighbours that no editor produces.
    return error instanceof UpdateTooCostlyError ? STRUCTURE_LIMITS.steps : trial.steps
  }
}

answerRequests<FoldRequest, FoldResponse>(({ updates, withText }) => {
  const doc = createVerbatimDoc()
  applyUpdates(doc, updates)
  const title: unknown = doc.getMap(contentTypes.meta).get('title')
  const summary = withText
    ? summarizeText(textOf(doc.getXmlFragment(contentTypes.fragment)), typeof title === 'string' ? title : '')
    : undefined
  const state = Y.encodeStateAsUpdate(doc)
  return { state, summary, steps: withText ? stepsOf(state) : 0 }
})
