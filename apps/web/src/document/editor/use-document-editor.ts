import { Editor, type EditorOptions } from '@tiptap/core'
import { Selection } from 'prosemirror-state'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { createExtensions, type EditorSetup } from './extensions.ts'

type InitialOptions = { readOnly: boolean; takesFocus: boolean }

/**
 * Creates the editor of an opened document once, while the component is mounted. A key press never makes React render;
 * the interface reads editor state with selectors. `takesFocus`: whether the editor may take the focus initially.
 */
export function useDocumentEditor(setup: EditorSetup, { readOnly, takesFocus }: InitialOptions): Editor {
  const [options] = useState(() => ({
    extensions: createExtensions(setup),
    editorProps: {
      attributes: {
        class: 'document-text',
        role: 'textbox',
        'aria-label': t('Document'),
        'aria-multiline': 'true',
      },
      scrollThreshold: 48,
      scrollMargin: 64,
    },
    // An empty document opens with the caret in the text.
    autofocus: takesFocus && setup.connection.fragment.length === 0 ? ('start' as const) : false,
  }))
  const editor = useEditor(() => ({
    ...options,
    onCreate: ({ editor: created }) => placeCaret(created),
    editable: !readOnly,
    // Read-only text also has a caret.
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

/**
 * An editor that lives as long as the component is mounted. An editor that is created but never mounted, as in React's
 * strict mode, is destroyed.
 */
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

// The binding fills the view after its creation, which can leave the selection between blocks, where typing fails.
function placeCaret({ view }: Editor): void {
  const { selection, doc, tr } = view.state
  if (!selection.$head.parent.inlineContent) view.dispatch(tr.setSelection(Selection.atStart(doc)))
}
