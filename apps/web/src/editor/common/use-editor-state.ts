import type { Editor } from '@tiptap/core'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { sameJson } from '../../common/store.ts'

/** A small value that `read` derives from an editor; the component renders again only when the value has changed. */
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
