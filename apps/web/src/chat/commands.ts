import type { ChatCommand } from '@copydesk/agent-panel'
import type { Me } from '@copydesk/protocol'

/** The context of a command: selected text, a document with text, or an empty one. */
export type CommandPlace = 'selection' | 'document' | 'empty'

type Commands = Readonly<Record<CommandPlace, readonly ChatCommand[]>>

const ofModels: Commands = {
  selection: [
    { id: 'improve', label: 'Improve', text: 'Improve the selected text: clearer, same meaning, same voice.' },
    { id: 'shorten', label: 'Shorten', text: 'Make the selected text shorter without losing what it says.' },
    { id: 'translate', label: 'Translate…', text: 'Translate the selected text into ', opens: true },
    { id: 'comment', label: 'Comment', text: 'Comment on what could be better in the selected text. Change nothing.' },
  ],
  document: [
    { id: 'summarise', label: 'Summarise', text: 'Summarise this document in a few points.' },
    { id: 'typos', label: 'Find typos', text: 'Find the typos in this document and fix them.' },
  ],
  empty: [{ id: 'draft', label: 'Write a draft…', text: 'Write a first draft about ', opens: true }],
}

// The built-in agent understands plain commands; these are examples.
const ofBuiltin: Commands = {
  selection: [
    { id: 'bold', label: 'Bold', text: 'Make this bold' },
    { id: 'highlight', label: 'Highlight', text: 'Highlight this' },
    { id: 'replace', label: 'Replace…', text: 'Replace this with ', opens: true },
    { id: 'comment', label: 'Comment…', text: 'Comment on this: ', opens: true },
  ],
  document: [
    { id: 'summarise', label: 'Outline', text: 'Outline' },
    { id: 'typos', label: 'Find typos', text: 'Fix the typos' },
  ],
  empty: [{ id: 'draft', label: 'Add text…', text: 'Append ', opens: true }],
}

/** Ready-made requests for this context. */
export function commandsFor(place: CommandPlace, provider: Me['agent']['provider']): readonly ChatCommand[] {
  return (provider === 'builtin' ? ofBuiltin : ofModels)[place]
}
