import type { Run } from '@copydesk/protocol'
import type { Node } from 'prosemirror-model'
import { writeStored, readStored } from '../common/local-storage.ts'
import { createStore, type Store } from '../common/store.ts'
import { outcomeOf } from '../editor/agent-edits/run-outcome.ts'

const storageKey = 'copydesk.remove-answered'

const removing = createStore(readStored(storageKey) === 'true')

/** Whether this user's requests are removed from the text when they are answered; remembered in this browser. */
export const removesAnswered: Store<boolean> = {
  ...removing,
  set(next) {
    writeStored(storageKey, String(next))
    removing.set(next)
  },
}

/**
 * Whether a run answers a request of `self` that has not been changed since: its block, which contains the mention,
 * still has the same text. A request that was not fulfilled is kept, so that it can be reworded.
 */
export function isAnsweredAsAsked(run: Run, block: Node, self: string): boolean {
  const isOwn = run.trigger.kind === 'mention' && run.invokedBy.id === self
  if (!isOwn || run.status !== 'completed' || outcomeOf(run) === 'not-done') return false
  return inOneLine(textWithout(block, run.trigger.id)) === inOneLine(run.instruction)
}

function textWithout(block: Node, requestId: string): string {
  const texts: string[] = []
  block.forEach((node) => {
    if (node.type.name !== 'mention') texts.push(node.isText ? (node.text ?? '') : ' ')
    else if (node.attrs.requestId !== requestId) texts.push(`@${String(node.attrs.label)}`)
  })
  return texts.join('')
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
