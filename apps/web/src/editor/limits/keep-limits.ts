import { fitContent } from '@copydesk/schema'
import { Extension } from '@tiptap/core'
import { Slice } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import { findTooMuch, fitWritten } from './written.ts'

/** `say` tells the person what was not done, and why. */
export type KeepLimitsOptions = { say: (text: string) => void }

/**
 * Keeps what is done here within what a document may hold, so that the server never refuses it: what is pasted is changed to fit, small
 * things are put right in the same transaction, and what can't be put right isn't done. Changes of others are left alone.
 */
export function createKeepLimits({ say }: KeepLimitsOptions): Extension {
  return Extension.create({
    name: 'keepLimits',
    // Behind whatever else changes what is pasted.
    priority: 10,
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('keepLimits'),
        filterTransaction(transaction, state) {
          const problem = isOwn(transaction) ? findTooMuch(transaction, state) : null
          if (problem !== null) say(problem)
          return problem === null
        },
        appendTransaction: (transactions, _before, after) => putRight(transactions, after),
        props: {
          transformPasted(slice) {
            const fitted = fitSlice(slice)
            if (fitted !== slice) say('Some of what was pasted was changed, since a document can’t hold it as it was.')
            return fitted
          },
        },
      }),
    ],
  })
}

function isOwn(transaction: Transaction): boolean {
  return transaction.docChanged && transaction.getMeta(ySyncPluginKey) === undefined
}

function putRight(transactions: readonly Transaction[], { tr }: EditorState): Transaction | null {
  const own = transactions.filter(isOwn)
  if (own.length === 0) return null
  for (const [index, transaction] of transactions.entries()) {
    if (isOwn(transaction)) fitWritten(tr, transaction, transactions.slice(index + 1))
  }
  return tr.docChanged ? tr : null
}

function fitSlice(slice: Slice): Slice {
  const { content, isChanged } = fitContent(slice.content)
  if (!isChanged) return slice
  const most = Slice.maxOpen(content)
  return new Slice(content, Math.min(slice.openStart, most.openStart), Math.min(slice.openEnd, most.openEnd))
}
