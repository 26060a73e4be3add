import type { Editor } from '@tiptap/core'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import type { EditorUi, PopoverKind } from '../editor-ui.ts'

const load = () => import('./open-popover.tsx')
const OpenPopover = lazy(async () => ({ default: (await load()).OpenPopover }))

type PopoversProps = { editor: Editor; ui: EditorUi }

/** The small forms beside the selection. They are fetched once the text stands there, so that the first one opens at once too. */
export function Popovers({ editor, ui }: PopoversProps) {
  const kind = useSyncExternalStore(ui.subscribe, () => formOf(ui))
  const [wanted, setWanted] = useState(false)
  if (kind !== null && !wanted) setWanted(true)
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), 1000)
    return () => clearTimeout(timer)
  }, [])
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <OpenPopover editor={editor} ui={ui} kind={kind} />
    </Suspense>
  )
}

function formOf(ui: EditorUi): PopoverKind | null {
  const shown = ui.get()
  return shown === 'tableMenu' ? null : shown
}
