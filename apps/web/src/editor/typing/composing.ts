import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** Delays remote changes and releases them. */
export type Gate = { hold: () => void; release: () => void }

// The editor reads the composed text from the DOM this long after the composition ends.
const settles = 60

// On-screen keyboards compose as long as the caret is at a word: a pause of this length ends the composition, here as
// in the editor.
const restsOnScreen = 5000

/**
 * Delays remote changes during an input method's composition: a change in the same text would end the composition and
 * lose or duplicate the composed text. Local changes are sent meanwhile.
 */
export function createComposing(gate: Gate): Extension {
  return Extension.create({
    name: 'composing',
    addProseMirrorPlugins: () => [createPlugin(gate)],
  })
}

function createPlugin(gate: Gate): Plugin {
  let timer: ReturnType<typeof setTimeout> | undefined
  const releaseAfter = (delay: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => gate.release(), delay)
  }
  const go = () => {
    clearTimeout(timer)
    gate.hold()
    if (isOnScreen()) releaseAfter(restsOnScreen)
    return false
  }
  const end = () => {
    releaseAfter(settles)
    return false
  }
  return new Plugin({
    key: new PluginKey('composing'),
    props: {
      handleDOMEvents: {
        compositionstart: go,
        compositionupdate: go,
        compositionend: end,
        blur: (view: EditorView) => view.composing && end(),
      },
    },
    view: () => ({
      destroy() {
        clearTimeout(timer)
        gate.release()
      },
    }),
  })
}

function isOnScreen(): boolean {
  return /android/i.test(navigator.userAgent)
}
