import type { ChatCommand } from '@copydesk/agent-panel'
import type { Me } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { selectedText } from '../editor/common/positions.ts'
import { countSelected } from '../editor/outline/text-figures.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { createStore, sameJson, type Store } from '../common/store.ts'
import { throttle } from '../common/throttle.ts'

/** The selection in the text, and whether the document contains text. `text` is the selection's beginning. */
export type SelectedText = { selected: { text: string; words: number } | null; place: CommandPlace }

const delay = 120
const beginning = 400

/** Observes the selection with a short delay, and reports only the result: no component renders on a key press. */
export function useSelectedText(editor: Editor): SelectedText {
  const [store] = useState<Store<SelectedText>>(() => createStore(readSelected(editor), sameJson))
  useEffect(() => {
    const { schedule, cancel } = throttle(delay, () => !editor.isDestroyed && store.set(readSelected(editor)))
    schedule()
    editor.on('transaction', schedule)
    return () => {
      cancel()
      editor.off('transaction', schedule)
    }
  }, [editor, store])
  return useSyncExternalStore(store.subscribe, store.get)
}

function readSelected({ state }: Editor): SelectedText {
  const { doc, selection } = state
  const isEmpty = doc.childCount === 1 && doc.firstChild?.content.size === 0
  const text = selection.empty ? '' : selectedText(state, ' ', ' ').replace(/\s+/g, ' ').trim()
  if (text === '') return { selected: null, place: isEmpty ? 'empty' : 'document' }
  const { words } = countSelected(doc, selection)
  return { selected: { text: text.slice(0, beginning).toWellFormed(), words }, place: 'selection' }
}

/** The context of a command: selected text, a document with text, or an empty one. */
type CommandPlace = 'selection' | 'document' | 'empty'

type Command = Omit<ChatCommand, 'label' | 'text'> & { label: EnglishText; text: EnglishText }
type Commands = Readonly<Record<CommandPlace, readonly Command[]>>

const ofModels: Commands = {
  selection: [
    { id: 'improve', label: 'Improve', text: 'Improve the selected text: clearer, same meaning, same voice.' },
    { id: 'shorten', label: 'Shorten', text: 'Make the selected text shorter without losing what it says.' },
    { id: 'bold', label: 'Bold', text: 'Make the selected text bold.' },
    { id: 'list', label: 'List', text: 'Make a bullet list of the selected text.' },
    { id: 'examples', label: 'Examples after this', text: 'Add two or three examples after the selected text.' },
    { id: 'translate', label: 'Translate…', text: 'Translate the selected text into ', opens: true },
    {
      id: 'comment',
      label: 'Comment|verb',
      text: 'Comment on what could be better in the selected text. Change nothing.',
    },
  ],
  document: [
    { id: 'summarise', label: 'Summarise', text: 'Summarise this document in a few points.' },
    { id: 'typos', label: 'Find typos', text: 'Find the typos in this document and fix them.' },
  ],
  empty: [{ id: 'draft', label: 'Write a draft…', text: 'Write a first draft about ', opens: true }],
}

// The built-in agent understands these, in each language of the interface.
const ofBuiltin: Commands = {
  selection: [
    { id: 'bold', label: 'Bold', text: 'Make this bold' },
    { id: 'list', label: 'List', text: 'Make this a list' },
    { id: 'highlight', label: 'Highlight', text: 'Highlight this' },
    { id: 'replace', label: 'Replace…', text: 'Replace this with: ', opens: true },
    { id: 'comment', label: 'Comment…', text: 'Comment on this: ', opens: true },
  ],
  document: [
    { id: 'summarise', label: 'Outline', text: 'Outline' },
    { id: 'words', label: 'Count words', text: 'How many words are there?' },
  ],
  empty: [{ id: 'draft', label: 'Add text…', text: 'Append: ', opens: true }],
}

/** Ready-made requests for this context. */
export function commandsFor(place: CommandPlace, provider: Me['agent']['provider']): readonly ChatCommand[] {
  const commands = provider === 'builtin' ? ofBuiltin : ofModels
  return commands[place].map((command) => ({ ...command, label: t(command.label), text: t(command.text) }))
}
