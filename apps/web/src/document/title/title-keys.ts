import { Extension } from '@tiptap/core'
import { Selection } from 'prosemirror-state'
import { focusTitle } from './title-in-view.tsx'

/** ArrowUp in the first line of the text goes to the title above it. */
export const TitleKeys = Extension.create({
  name: 'titleKeys',
  addKeyboardShortcuts: () => ({
    ArrowUp: ({ editor: { view } }) => {
      const { selection, doc } = view.state
      const isInFirst = selection.empty && selection.$head.start() === Selection.atStart(doc).$head.start()
      return isInFirst && view.endOfTextblock('up') && focusTitle()
    },
  }),
})
