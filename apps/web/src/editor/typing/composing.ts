import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** What can keep changes by others away for a while, and let them in. */
export type Gate = { hold: () => void; release: () => void }

// The editor reads what was composed from the page shortly after its end.
const settles = 60

// On-screen keyboards compose for as long as the caret stands at a word: a rest ends that, here as in the editor.
const restsOnScreen = 5000

/**
 * While somebody composes with an input method, what others write waits: a change in the same text would end the composition, and what was
 * composed so far would be lost or doubled. Their own text goes out meanwhile.
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
