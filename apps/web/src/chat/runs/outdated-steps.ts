import type { Run, Step } from '@copydesk/protocol'
import { isShown } from '@copydesk/schema'
import type { Editor } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createStore, sameJson } from '../../common/store.ts'
import { stepKey } from './run-actions.ts'

const delay = 120
// What these change isn't in the text.
const besideText: ReadonlySet<string> = new Set(['edit_frontmatter', 'set_title'])

/** The keys of the waiting steps whose text isn't in the document any more, shortly after each change of either. */
export function useOutdatedSteps(editor: Editor, runs: ReadonlyMap<string, Run>): readonly string[] {
  const [store] = useState(() => createStore<readonly string[]>([], sameJson))
  useEffect(() => {
    const waiting = [...runs.values()].flatMap((run) => {
      return run.steps.flatMap((step) => (step.status === 'awaiting_approval' && !step.approval ? [{ run, step }] : []))
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      const text = waiting.length === 0 || editor.isDestroyed ? '' : lettersIn(editor.state.doc)
      store.set(waiting.flatMap(({ run, step }) => (fits(step, text) ? [] : [stepKey(run.id, step.id)])))
    }
    read()
    if (waiting.length === 0) return undefined
    const soon = () => {
      timer ??= setTimeout(read, delay)
    }
    editor.on('update', soon)
    return () => {
      clearTimeout(timer)
      editor.off('update', soon)
    }
  }, [editor, runs, store])
  return useSyncExternalStore(store.subscribe, store.get)
}

/**
 * Whether the texts that a step would change, and the one that it would insert next to, are in a document, given by the
 * letters and digits of its text (`lettersIn`): proposals may have the marks of Markdown.
 */
export function fits({ tool, arguments: given, proposal = [] }: Step, letters: string): boolean {
  if (besideText.has(tool)) return true
  const texts = [...proposal.map(({ before }) => before), anchorOf(given)]
  return texts.every((text) => letters.includes(onlyLetters(text)))
}

function anchorOf({ position }: Step['arguments']): string {
  const isNamed = typeof position === 'object' && position !== null && 'anchor' in position
  return isNamed && typeof position.anchor === 'string' ? position.anchor : ''
}

const known = new WeakMap<Node, string>()

/** The letters and digits of a document's text, as if all suggested changes were accepted. */
export function lettersIn(node: Node): string {
  const cached = known.get(node)
  if (cached !== undefined) return cached
  const letters = isShown(node, 'accepted') ? (node.isLeaf ? ofLeaf(node) : node.children.map(lettersIn).join('')) : ''
  known.set(node, letters)
  return letters
}

function ofLeaf({ text, attrs }: Node): string {
  return onlyLetters(text ?? [attrs.label, attrs.latex, attrs.alt, attrs.src].filter(Boolean).join(' '))
}

// Without the addresses of links, which are no text. In time linear in the text, whatever it is: no part is read twice.
function onlyLetters(text: string): string {
  return text.replaceAll(/(?<!!\[[^\]]*)\]\([^)\]\s]*\)/g, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
