import type { Editor } from '@tiptap/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createStore, sameJson, type Store } from '../app/store.ts'
import type { CommandPlace } from './commands.ts'

/** The selection in the text, and whether the document has any text. `text` is the selection's beginning. */
export type SelectedText = { selected: { text: string; words: number } | null; place: CommandPlace }

const delay = 120
const beginning = 400
// In longer selections words are counted by spaces.
const segmentedLength = 20_000

/** Follows the selection with a short delay, and reports only the result: no component renders on a key press. */
export function useSelectedText(editor: Editor): SelectedText {
  const [store] = useState<Store<SelectedText>>(() => createStore(readSelected(editor), sameJson))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      if (!editor.isDestroyed) store.set(readSelected(editor))
    }
    const soon = () => {
      timer ??= setTimeout(read, delay)
    }
    soon()
    editor.on('transaction', soon)
    return () => {
      clearTimeout(timer)
      editor.off('transaction', soon)
    }
  }, [editor, store])
  return useSyncExternalStore(store.subscribe, store.get)
}

function readSelected({ state: { doc, selection } }: Editor): SelectedText {
  const { from, to, empty } = selection
  const isEmpty = doc.childCount === 1 && doc.firstChild?.content.size === 0
  const text = empty ? '' : doc.textBetween(from, to, ' ', ' ').replace(/\s+/g, ' ').trim()
  if (text === '') return { selected: null, place: isEmpty ? 'empty' : 'document' }
  return { selected: { text: text.slice(0, beginning).toWellFormed(), words: countWords(text) }, place: 'selection' }
}

/** The number of words in a text, in any script. */
export function countWords(text: string): number {
  if (text.length > segmentedLength) return text.split(/\s+/).filter(Boolean).length
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    if (isWordLike === true) words += 1
  }
  return words
}
