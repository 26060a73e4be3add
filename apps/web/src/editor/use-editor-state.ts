import type { Editor } from '@tiptap/core'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { sameJson } from '../app/store.ts'

/** What `read` makes of an editor now, a small value; the component renders again only when that has changed. */
export function useEditorState<T>(editor: Editor, read: (editor: Editor) => T): T {
  const last = useRef<T>(undefined)
  const subscribe = useCallback(
    (listener: () => void) => {
      editor.on('transaction', listener)
      return () => {
        editor.off('transaction', listener)
      }
    },
    [editor],
  )
  return useSyncExternalStore(subscribe, () => {
    const next = read(editor)
    if (last.current === undefined || !sameJson(next, last.current)) last.current = next
    return last.current
  })
}
