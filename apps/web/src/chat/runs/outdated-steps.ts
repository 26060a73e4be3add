import type { Run } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { loadWhenOnline } from '../../common/lazy-part.ts'
import { throttle } from '../../common/throttle.ts'
import { createStore, sameJson } from '../../common/store.ts'
import { stepKey } from './run-actions.ts'

const delay = 120

/**
 * The keys of the waiting steps whose text isn't in the document any more, updated shortly after each change of either.
 */
export function useOutdatedSteps(editor: Editor, runs: ReadonlyMap<string, Run>): readonly string[] {
  const [store] = useState(() => createStore<readonly string[]>([], sameJson))
  useEffect(() => {
    const waiting = [...runs.values()].flatMap((run) => {
      return run.steps.flatMap((step) => (step.status === 'awaiting_approval' && !step.approval ? [{ run, step }] : []))
    })
    if (waiting.length === 0) {
      store.set([])
      return undefined
    }
    let stop = (): void => undefined
    let isOver = false
    // Usually no step waits.
    const start = async (): Promise<void> => {
      const { fits, lettersIn } = await loadWhenOnline(() => import('./step-fits.ts'))
      const read = () => {
        const text = editor.isDestroyed ? '' : lettersIn(editor.state.doc)
        store.set(waiting.flatMap(({ run, step }) => (fits(step, text) ? [] : [stepKey(run.id, step.id)])))
      }
      if (!isOver) stop = follow(editor, read)
    }
    // Without this part there is no warning, but the server still refuses outdated changes.
    start().catch(() => undefined)
    return () => {
      isOver = true
      stop()
    }
  }, [editor, runs, store])
  return useSyncExternalStore(store.subscribe, store.get)
}

/** Reads now, and shortly after each change of the text. */
function follow(editor: Editor, read: () => void): () => void {
  const { schedule, cancel } = throttle(delay, read)
  read()
  editor.on('update', schedule)
  return () => {
    cancel()
    editor.off('update', schedule)
  }
}
