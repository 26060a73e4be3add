import type { Editor } from '@tiptap/core'
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import type { Store } from '../app/store.ts'
import type { EditorUi } from './editor-ui.ts'
import { WithOutline } from './outline/outline.tsx'
import type { EditingMode } from './suggesting/editing-mode.ts'
import { ModeSwitch } from './suggesting/mode-switch.tsx'
import type { TakeBack } from './take-back.ts'
import { TextPlace } from './text-place.tsx'
import { Toolbar } from './toolbar/toolbar.tsx'
import { WritingLayer } from './writing-layer.tsx'
import type { WritingUi } from './writing-ui.ts'

const ContentLayer = lazy(async () => ({ default: (await import('./content-layer.tsx')).ContentLayer }))

type EditorPaneProps = {
  editor: Editor
  ui: EditorUi
  writing: WritingUi
  takeBack: TakeBack
  mode: Store<EditingMode>
  readOnly: boolean
  /** Shown instead of the toolbar when the user may not edit. */
  readOnlyNote: string | undefined
  margin?: ReactNode
}

/** Toolbar and text. The text itself lives in ProseMirror and Yjs; React only mounts it. */
export function EditorPane({ editor, ui, writing, takeBack, mode, readOnly, readOnlyNote, margin }: EditorPaneProps) {
  const isViewing = useSyncExternalStore(mode.subscribe, mode.get) === 'viewing'
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {readOnly ? (
        <p className="flex h-12 shrink-0 items-center border-b border-line bg-surface px-4 text-sm text-ink-soft">
          {readOnlyNote ?? 'You can read this document but not edit it.'}
        </p>
      ) : (
        <div className="flex h-12 shrink-0 items-center border-b border-line bg-surface pe-2">
          <div className="min-w-0 flex-1">
            {isViewing ? (
              <p className="truncate px-4 text-sm text-ink-soft">You are reading. The text can’t change by mistake.</p>
            ) : (
              <Toolbar editor={editor} ui={ui} takeBack={takeBack} />
            )}
          </div>
          <ModeSwitch mode={mode} />
        </div>
      )}
      <WithOutline editor={editor} ui={writing}>
        <div data-scroller className="relative min-w-0 flex-1 overflow-y-auto scroll-py-8">
          <TextPlace editor={editor} className="relative h-full" />
          <Suspense fallback={null}>
            <ContentLayer editor={editor} ui={ui} readOnly={readOnly || isViewing} />
          </Suspense>
          {margin}
        </div>
        <WritingLayer editor={editor} ui={writing} canEdit={!readOnly && !isViewing} />
      </WithOutline>
    </div>
  )
}
