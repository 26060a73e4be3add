import { DOCUMENT_LIMITS } from '@copydesk/protocol'
import { fitContent } from '@copydesk/schema'
import { Extension } from '@tiptap/core'
import { ReplaceAroundStep, ReplaceStep, type Step } from '@tiptap/pm/transform'
import { type Node, Slice } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type * as Y from 'yjs'
import { isOwnEdit } from '../common/from-yjs.ts'
import { createStore, type Store } from '../../common/store.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { findTooMuch, fitWritten } from './written.ts'

/**
 * The shared content; `say` reports rejected edits to the user, with the reason and a remedy; `askToSplit` offers to
 * move a part of the document to a new one.
 */
export type KeepLimitsOptions = {
  content: Y.Doc
  say: (text: string, action?: { label: string; run: () => void }) => void
  askToSplit: () => void
}

const measuredEveryMs = 1000

/**
 * Keeps local edits within a document's limits, so that the server never refuses them: pasted content is changed to
 * fit, small violations are corrected in the same transaction, and all others are rejected. In a full document, edits
 * that would enlarge it are rejected, too. Remote changes are applied unchanged.
 */
export function createKeepLimits({ content, say, askToSplit }: KeepLimitsOptions): Extension {
  const passes = (transaction: Transaction, state: EditorState): boolean => {
    const problem = findTooMuch(transaction, state)
    if (problem !== null) say(problem)
    else if (!isTooFull(transaction, state, content)) return true
    else say(t(fullMessage), { label: t('Move what follows…'), run: askToSplit })
    return false
  }
  return Extension.create({
    name: 'keepLimits',
    // Behind all other code that changes pasted content.
    priority: 10,
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('keepLimits'),
        filterTransaction: (transaction, state) => !isOwnEdit(transaction) || passes(transaction, state),
        view: (view) => followFullness(view, content),
        appendTransaction: (transactions, _before, after) => fitOwnEdits(transactions, after),
        props: {
          transformPasted(slice) {
            const fitted = fitSlice(slice)
            if (fitted !== slice)
              say(t('Some of what was pasted was changed, since a document can’t hold it as it was.'))
            return fitted
          },
        },
      }),
    ],
  })
}

const fullMessage: EnglishText =
  'This document is full, so nothing was added. Delete something, or move a part of it to a new one.'

function isTooFull({ doc, steps }: Transaction, before: EditorState, content: Y.Doc): boolean {
  if (doc.content.size <= before.doc.content.size) return false
  return (
    measureFullness(
      content,
      doc,
      steps.reduce((sum, step) => sum + piecesOf(step), 0),
    ) > 1
  )
}

// An estimate: inserted content becomes one Yjs struct for each node and each of its attributes.
function piecesOf(step: Step): number {
  let pieces = 0
  if (step instanceof ReplaceStep || step instanceof ReplaceAroundStep) {
    step.slice.content.descendants((node) => void (pieces += node.isText ? 1 : 2))
  }
  return pieces
}

/** Updates the displayed fullness of the document, never on a key press. */
function followFullness(view: EditorView, content: Y.Doc) {
  const store = fullnessOf(content)
  let timer: ReturnType<typeof setTimeout> | undefined
  const measure = () => {
    timer = undefined
    store.set(measureFullness(content, view.state.doc))
  }
  timer = setTimeout(measure)
  return {
    update(_view: EditorView, before: EditorState) {
      if (view.state.doc !== before.doc) timer ??= setTimeout(measure, measuredEveryMs)
    },
    destroy: () => clearTimeout(timer),
  }
}

function fitOwnEdits(transactions: readonly Transaction[], { tr }: EditorState): Transaction | null {
  const own = transactions.filter(isOwnEdit)
  if (own.length === 0) return null
  for (const [index, transaction] of transactions.entries()) {
    if (isOwnEdit(transaction)) fitWritten(tr, transaction, transactions.slice(index + 1))
  }
  return tr.docChanged ? tr : null
}

function fitSlice(slice: Slice): Slice {
  const { content, isChanged } = fitContent(slice.content)
  if (!isChanged) return slice
  const most = Slice.maxOpen(content)
  return new Slice(content, Math.min(slice.openStart, most.openStart), Math.min(slice.openEnd, most.openEnd))
}

/**
 * The fraction of a document's size limit in use, from 0; more than 1 if the document grew beyond the limit before it
 * was enforced.
 */
type Fullness = number

/** The fullness from which users are warned, early enough to act. */
export const nearlyFull = 0.9

const stores = new WeakMap<Y.Doc, Store<Fullness>>()

/** The fullness of a document, for display; its editor keeps it current. */
export function fullnessOf(content: Y.Doc): Store<Fullness> {
  const store = stores.get(content) ?? createStore<Fullness>(0)
  stores.set(content, store)
  return store
}

/**
 * The fullness of a document with this text, plus `more` pieces. Constant cost at any size: a block counts as two
 * characters.
 */
function measureFullness(content: Y.Doc, text: Node, more = 0): Fullness {
  let pieces = more
  for (const structs of content.store.clients.values()) pieces += structs.length
  return Math.max(pieces / DOCUMENT_LIMITS.pieces, text.content.size / DOCUMENT_LIMITS.characters)
}
