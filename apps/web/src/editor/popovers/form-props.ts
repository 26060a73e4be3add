import type { Editor } from '@tiptap/core'

/** The props of every form in a popover. `onDone` closes it and returns the focus to the text. */
export type FormProps = { editor: Editor; onDone: () => void }
