import type { Editor } from '@tiptap/core'
import { EditorContent } from '@tiptap/react'
import { lazy, Suspense } from 'react'
import type { EditorUi } from './editor-ui.ts'
import { LinkCards } from './links/link-cards.tsx'
import { WithOutline } from './outline/outline.tsx'
import { Popovers } from './popovers/popovers.tsx'
import { TableControls } from './tables/table-controls.tsx'
import type { TakeBack } from './take-back.ts'
import { Toolbar } from './toolbar/toolbar.tsx'
import type { WritingUi } from './writing-ui.ts'

const WritingLayer = lazy(async () => ({ default: (await import('./writing-layer.tsx')).WritingLayer }))

type EditorPaneProps = { editor: Editor; ui: EditorUi; writing: WritingUi; takeBack: TakeBack; readOnly: boolean }

/** Toolbar and text. The text itself lives in ProseMirror and Yjs; React only gives it a place. */
export function EditorPane({ editor, ui, writing, takeBack, readOnly }: EditorPaneProps) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {readOnly ? (
        <p className="flex h-12 shrink-0 items-center border-b border-line bg-surface px-4 text-sm text-ink-soft">
          You can read this document but not edit it.
        </p>
      ) : (
        <Toolbar editor={editor} ui={ui} takeBack={takeBack} />
      )}
      <WithOutline editor={editor} ui={writing}>
        <div data-scroller className="relative min-w-0 flex-1 overflow-y-auto scroll-py-8">
          <EditorContent editor={editor} className="relative h-full" />
          {!readOnly && <TableControls editor={editor} ui={ui} />}
        </div>
        <Suspense fallback={null}>
          <WritingLayer editor={editor} ui={writing} canEdit={!readOnly} />
        </Suspense>
      </WithOutline>
      <LinkCards editor={editor} ui={ui} readOnly={readOnly} />
      {!readOnly && <Popovers editor={editor} ui={ui} />}
    </div>
  )
}
