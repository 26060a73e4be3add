import type { Editor } from '@tiptap/core'

/** What every form in a popover gets. `onDone` closes it and gives the focus back to the text. */
export type FormProps = { editor: Editor; onDone: () => void }
