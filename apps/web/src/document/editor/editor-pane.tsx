import type { DocumentFont } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { noteFirstScreen } from '../../common/first-screen.ts'
import { latePart } from '../../common/lazy-part.ts'
import type { Store } from '../../common/store.ts'
import type { RunUndo } from '../../editor/agent-edits/run-undo.ts'
import type { EditorUi, WritingUi } from '../../editor/common/editor-ui.ts'
import { WithOutline } from '../../editor/outline/outline.tsx'
import type { EditingMode } from '../../editor/suggesting/editing-mode.ts'
import { ModeSwitch } from '../../editor/suggesting/mode-switch.tsx'
import { Toolbar } from '../../editor/toolbar/toolbar.tsx'
import { t } from '../../i18n/translate.ts'
import { WritingLayer } from './writing-layer.tsx'

const ContentLayer = latePart(async () => (await import('./content-layer.tsx')).ContentLayer)

type EditorPaneProps = {
  editor: Editor
  ui: EditorUi
  writing: WritingUi
  runUndo: RunUndo
  mode: Store<EditingMode>
  readOnly: boolean
  font: DocumentFont
  /** Shown instead of the toolbar when the user may not edit. */
  readOnlyNote: string | undefined
  /** The title's line above the text. */
  title: ReactNode
  margin: ReactNode
  /** Bars between the text and its footer. */
  bars: ReactNode
  /** A button at the end of the footer. */
  footerButton: ReactNode
}

/** Toolbar, text and footer. The text itself lives in ProseMirror and Yjs; React only mounts it. */
export function EditorPane(props: EditorPaneProps) {
  const { editor, ui, writing, runUndo, mode, readOnly, font, readOnlyNote, title, margin, bars, footerButton } = props
  const isViewing = useSyncExternalStore(mode.subscribe, mode.get) === 'viewing'
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {readOnly ? (
        <p className="flex h-12 shrink-0 items-center border-b border-line bg-page px-4 text-sm text-ink-soft">
          {readOnlyNote ?? t('You can read this document but not edit it.')}
        </p>
      ) : (
        <div className="flex h-12 shrink-0 items-center border-b border-line bg-page pe-2">
          <div className="min-w-0 flex-1">
            {isViewing ? (
              <p className="truncate px-4 text-sm text-ink-soft">
                {t('You are viewing. Switch to Editing to change the text.')}
              </p>
            ) : (
              <Toolbar editor={editor} ui={ui} runUndo={runUndo} />
            )}
          </div>
          <ModeSwitch mode={mode} />
        </div>
      )}
      <WithOutline editor={editor} ui={writing} bars={bars} footerButton={footerButton}>
        <div data-scroller data-font={font} className="relative min-w-0 flex-1 overflow-y-auto bg-surface scroll-py-8">
          {title}
          <TextPlace editor={editor} className="relative h-full" />
          <ContentLayer editor={editor} ui={ui} readOnly={readOnly || isViewing} />
          {margin}
        </div>
        <WritingLayer editor={editor} ui={writing} canEdit={!readOnly && !isViewing} />
      </WithOutline>
    </div>
  )
}

type TextPlaceProps = { editor: Editor; className: string }

/**
 * Mounts an editor's text. TipTap's own component recreates all node views when it mounts, for those that React draws;
 * this editor has none, and in a long document every block would be drawn twice.
 */
function TextPlace({ editor, className }: TextPlaceProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { dom } = editor.view
    const { current } = place
    if (!current) return undefined
    current.append(dom)
    // Until its first blocks are painted, a long text has no other blocks to lay out. An address that leads into the
    // text needs all of them.
    current.classList.toggle('first-blocks', location.hash === '')
    let frame = requestAnimationFrame(() => {
      // After this frame is painted.
      setTimeout(noteFirstScreen)
      frame = requestAnimationFrame(() => current.classList.remove('first-blocks'))
    })
    return () => {
      cancelAnimationFrame(frame)
      dom.remove()
    }
  }, [editor])
  return <div ref={place} className={className} />
}
