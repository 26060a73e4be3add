import type { Editor } from '@tiptap/core'
import type { EditorUi } from './editor-ui.ts'
import { LinkCards } from './links/link-cards.tsx'
import { Popovers } from './popovers/popovers.tsx'
import { TableControls } from './tables/table-controls.tsx'

type ContentLayerProps = { editor: Editor; ui: EditorUi; readOnly: boolean }

/** Overlays for content in the text: table handles, link cards, and the small forms. */
export function ContentLayer({ editor, ui, readOnly }: ContentLayerProps) {
  return (
    <>
      {!readOnly && <TableControls editor={editor} ui={ui} />}
      <LinkCards editor={editor} ui={ui} readOnly={readOnly} />
      {!readOnly && <Popovers editor={editor} ui={ui} />}
    </>
  )
}
