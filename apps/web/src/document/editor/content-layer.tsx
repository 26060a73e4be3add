import type { Editor } from '@tiptap/core'
import { Popover } from 'radix-ui'
import { useMemo, useSyncExternalStore } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import { LanguageForm } from '../../editor/code/language-form.tsx'
import type { EditorUi, FormProps, PopoverKind } from '../../editor/common/editor-ui.ts'
import { ImageForm } from '../../editor/images/image-form.tsx'
import { LinkCards } from '../../editor/links/link-card.tsx'
import { LinkForm } from '../../editor/links/link-form.tsx'
import { MathForm } from '../../editor/math/math-form.tsx'
import { TableControls } from '../../editor/tables/table-controls.tsx'
import { type EnglishText, t } from '../../i18n/translate.ts'

const ImageViewer = separatePart(async () => (await import('../../editor/images/image-viewer.tsx')).ImageViewer)

type ContentLayerProps = { editor: Editor; ui: EditorUi; readOnly: boolean }

/** Overlays for content in the text: table handles, link cards, the small forms, and an image in full screen. */
export function ContentLayer({ editor, ui, readOnly }: ContentLayerProps) {
  const isViewing = useSyncExternalStore(ui.subscribe, () => ui.get() === 'imageView')
  return (
    <>
      {!readOnly && <TableControls editor={editor} ui={ui} />}
      <LinkCards editor={editor} ui={ui} readOnly={readOnly} />
      {!readOnly && <Popovers editor={editor} ui={ui} />}
      {isViewing && <ImageViewer editor={editor} onDone={() => ui.set(null)} />}
    </>
  )
}

type PopoversProps = { editor: Editor; ui: EditorUi }

const names: Record<PopoverKind, EnglishText> = {
  link: 'Link',
  image: 'Image',
  inlineMath: 'Inline formula',
  blockMath: 'Formula block',
  codeLanguage: 'Code language',
}

/** The open form, next to its selection. */
function Popovers({ editor, ui }: PopoversProps) {
  const kind = useSyncExternalStore(ui.subscribe, () => formOf(ui))
  const anchor = useMemo(() => ({ current: { getBoundingClientRect: () => anchorBox(editor, kind) } }), [editor, kind])
  const close = () => {
    ui.set(null)
    editor.commands.focus()
  }
  return (
    <Popover.Root open={kind !== null} onOpenChange={(open) => !open && ui.set(null)}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          side="bottom"
          align="start"
          sideOffset={8}
          collisionPadding={12}
          aria-label={kind ? t(names[kind]) : undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // Only if the focus is nowhere: the user may have closed the form by focusing another element.
            if (document.activeElement === document.body) editor.commands.focus()
          }}
          className="pop z-30 w-80 max-w-[calc(100vw-1.5rem)] rounded-xl border border-line bg-surface p-3.5 shadow-raised"
        >
          {kind && <Form kind={kind} editor={editor} onDone={close} />}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function formOf(ui: EditorUi): PopoverKind | null {
  const shown = ui.get()
  return shown === 'tableMenu' || shown === 'imageView' ? null : shown
}

function Form({ kind, ...props }: FormProps & { kind: PopoverKind }) {
  switch (kind) {
    case 'link':
      return <LinkForm {...props} />
    case 'image':
      return <ImageForm {...props} />
    case 'codeLanguage':
      return <LanguageForm {...props} />
    case 'inlineMath':
    case 'blockMath':
      return <MathForm {...props} kind={kind} />
  }
}

function anchorBox(editor: Editor, kind: PopoverKind | null): DOMRect {
  const { $from } = editor.state.selection
  const block = kind === 'codeLanguage' && $from.depth > 0 ? editor.view.nodeDOM($from.before()) : null
  const button = block instanceof Element ? block.querySelector('.code-language') : null
  return button?.getBoundingClientRect() ?? selectionBox(editor)
}

function selectionBox(editor: Editor): DOMRect {
  const { from, to } = editor.state.selection
  const start = editor.view.coordsAtPos(from)
  const end = editor.view.coordsAtPos(to, -1)
  const frame = editor.view.dom.closest('[data-scroller]')?.getBoundingClientRect()
  const within = (y: number) => (frame ? Math.min(Math.max(y, frame.top), frame.bottom) : y)
  const top = within(start.top)
  return new DOMRect(start.left, top, Math.max(1, end.right - start.left), Math.max(1, within(end.bottom) - top))
}
