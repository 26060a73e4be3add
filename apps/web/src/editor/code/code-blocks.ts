import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import { createCodeColors } from './code-colors.ts'
import { createCodeView } from './code-view.ts'

/** Behaviour of code blocks: syntax colours and a language form; `onLanguage` opens it for the block with the caret. */
export function createCodeBlocks(onLanguage: () => void): Extension {
  return Extension.create({
    name: 'codeBlocks',
    addKeyboardShortcuts: () => ({
      'Mod-Alt-g': ({ editor }) => {
        if (!editor.isActive('codeBlock')) return false
        onLanguage()
        return true
      },
    }),
    addProseMirrorPlugins: () => [
      createCodeColors(() => import('./highlighter.ts')),
      new Plugin({ key: new PluginKey('codeViews'), props: { nodeViews: { codeBlock: createCodeView(onLanguage) } } }),
    ],
  })
}
