import { Editor, type EditorOptions } from '@tiptap/core'
import { Selection } from 'prosemirror-state'
import { useEffect, useEffectEvent, useState } from 'react'
import { createExtensions, type EditorSetup } from './extensions.ts'

type EditorManner = { readOnly: boolean; takesFocus: boolean }

/**
 * Creates the editor of an opened document once, for as long as the component is shown. It never makes React render on a
 * key press; what the interface shows of it comes from selectors. `takesFocus` is whether it may take the focus at first.
 */
export function useDocumentEditor(setup: EditorSetup, { readOnly, takesFocus }: EditorManner): Editor {
  const [options] = useState(() => ({
    extensions: createExtensions(setup),
    editorProps: {
      attributes: {
        class: 'document-text',
        role: 'textbox',
        'aria-label': 'Document',
        'aria-multiline': 'true',
      },
      scrollThreshold: 48,
      scrollMargin: 64,
    },
    // An empty document is there to be written.
    autofocus: takesFocus && setup.connection.fragment.length === 0 ? ('start' as const) : false,
  }))
  const editor = useEditor(() => ({
    ...options,
    onCreate: ({ editor: created }) => placeCaret(created),
    editable: !readOnly,
    // There is a caret also where nothing may be written.
    enableCoreExtensions: { editable: false },
    injectCSS: false,
  }))
  useEffect(() => {
    if (editor.isEditable === readOnly) editor.setEditable(!readOnly, false)
  }, [editor, readOnly])
  return editor
}

const shown = new WeakSet<Editor>()
const unshownForMs = 10_000

/** An editor for as long as the component is shown. One that was made and is never shown, as in React's strict mode, goes by itself. */
function useEditor(options: () => Partial<EditorOptions>): Editor {
  const make = () => {
    const made = new Editor(options())
    setTimeout(() => shown.has(made) || made.destroy(), unshownForMs)
    return made
  }
  const [editor, setEditor] = useState(make)
  const show = useEffectEvent(() => {
    const shownNow = editor.isDestroyed ? make() : editor
    shown.add(shownNow)
    setEditor(shownNow)
    return shownNow
  })
  useEffect(() => {
    const shownNow = show()
    return () => shownNow.destroy()
  }, [])
  return editor
}

// The binding fills the view after it was made, which can leave the selection between blocks, where typing would go wrong.
function placeCaret({ view }: Editor): void {
  const { selection, doc, tr } = view.state
  if (!selection.$head.parent.inlineContent) view.dispatch(tr.setSelection(Selection.atStart(doc)))
}
