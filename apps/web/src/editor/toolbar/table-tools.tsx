import type { Editor } from '@tiptap/core'
import { BetweenHorizontalStart, BetweenVerticalStart, Grid2x2X, PanelTopClose, Trash2 } from 'lucide-react'
import { ToolbarButton } from './toolbar-button.tsx'

/** Rows and columns of the table at the caret. */
export function TableTools({ editor }: { editor: Editor }) {
  const chain = () => editor.chain().focus()
  return (
    <>
      <ToolbarButton label="Add row below" icon={BetweenHorizontalStart} onPress={() => chain().addRowAfter().run()} />
      <ToolbarButton
        label="Add column to the right"
        icon={BetweenVerticalStart}
        onPress={() => chain().addColumnAfter().run()}
      />
      <ToolbarButton label="Delete row" icon={PanelTopClose} onPress={() => chain().deleteRow().run()} />
      <ToolbarButton label="Delete column" icon={Grid2x2X} onPress={() => chain().deleteColumn().run()} />
      <ToolbarButton label="Delete table" icon={Trash2} onPress={() => chain().deleteTable().run()} />
    </>
  )
}
