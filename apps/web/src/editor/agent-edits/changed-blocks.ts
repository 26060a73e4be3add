import type { Authorship, Run } from '@copydesk/protocol'
import { type Editor, Extension } from '@tiptap/core'
import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import type * as Y from 'yjs'
import { isFromYjs } from '../common/from-yjs.ts'
import { createStore, type Store } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'
import { showToast } from '../../ui/toasts/toasts.tsx'
import { findBlock, scrollToPosition, toPosition, toRelative } from '../common/positions.ts'

/** The blocks that a run has changed, highlighted for one user. `shown` is the run whose blocks are highlighted. */
export type ChangedBlocks = {
  readonly shown: Pick<Store<string | null>, 'get' | 'subscribe'>
  /** Highlights the run's blocks and scrolls to the first; tells the user if none exists any more. */
  show(run: Run): void
  hide(): void
  readonly extension: Extension
}

type Marked = { places: readonly Y.RelativePosition[]; drawn: DecorationSet }

const key = new PluginKey<Marked>('changedBlocks')
const nothing: Marked = { places: [], drawn: DecorationSet.empty }

/**
 * Creates the highlights of one editor, initially none. They are decorations, not part of the document; Escape removes
 * them. Blocks are first found by their text; `readAuthorship` returns the authors of the text, which also finds blocks
 * that were edited since.
 */
export function createChangedBlocks(readAuthorship: () => Promise<Pick<Authorship, 'ids'>>): ChangedBlocks {
  const shown = createStore<string | null>(null)
  let editor: Editor | undefined
  const put = (marked: Marked) => {
    if (!editor || editor.isDestroyed) return
    editor.view.dispatch(editor.state.tr.setMeta(key, marked).setMeta('addToHistory', false))
  }
  const hide = () => {
    if (shown.get() === null) return
    shown.set(null)
    put(nothing)
  }
  const mark = (blocks: readonly number[], isFirst = true) => {
    const first = blocks[0]
    if (!editor || first === undefined) return
    put(markAt(editor.state, blocks))
    if (isFirst) scrollToPosition(editor.view, first + 1)
  }
  const findWritten = async (run: Run): Promise<number[]> => {
    if (run.undone === true) return []
    try {
      const [{ writtenBlocks }, answer] = await Promise.all([import('./authored-ranges.ts'), readAuthorship()])
      return editor && !editor.isDestroyed ? writtenBlocks(editor.state, answer, run.id) : []
    } catch {
      // For example offline: the blocks found by their text are shown anyway.
      return []
    }
  }
  return {
    shown,
    hide,
    show(run) {
      if (!editor || editor.isDestroyed) return
      shown.set(run.id)
      const byText = findChanged(editor.state.doc, run)
      mark(byText)
      void findWritten(run).then((written) => {
        if (shown.get() !== run.id || !editor || editor.isDestroyed) return
        const all = [...new Set([...findChanged(editor.state.doc, run), ...written])].toSorted((a, b) => a - b)
        if (all.length > 0) return mark(all, byText.length === 0)
        hide()
        showToast(t('What it changed is no longer in the document.'))
      })
    },
    extension: Extension.create({
      name: 'changedBlocks',
      onCreate: ({ editor: created }) => {
        editor = created
      },
      addKeyboardShortcuts: () => ({
        Escape: () => {
          if (shown.get() === null) return false
          hide()
          return true
        },
      }),
      addProseMirrorPlugins: () => [createPlugin()],
    }),
  }
}

function createPlugin(): Plugin<Marked> {
  return new Plugin<Marked>({
    key,
    state: {
      init: () => nothing,
      apply(transaction, before, _old, state) {
        const given = transaction.getMeta(key) as Marked | undefined
        if (given) return given
        if (before.places.length === 0 || !transaction.docChanged) return before
        if (!isFromYjs(transaction)) return { ...before, drawn: before.drawn.map(transaction.mapping, transaction.doc) }
        return { ...before, drawn: draw(state, before.places) }
      },
    },
    props: { decorations: (state) => key.getState(state)?.drawn },
  })
}

/** The start positions of the text blocks that a run has changed, in document order. */
export function findChanged(doc: Node, run: Pick<Run, 'changedBlocks' | 'undone'>): number[] {
  const texts = (run.changedBlocks ?? []).map(({ before, after }) => (run.undone === true ? before : after))
  const found = texts.flatMap((text) => findBlock(doc, text) ?? [])
  return [...new Set(found)].map((inside) => inside - 1).toSorted((a, b) => a - b)
}

function markAt(state: EditorState, blocks: readonly number[]): Marked {
  const places = blocks.flatMap((block) => toRelative(state, block + 1) ?? [])
  if (places.length === 0) return nothing
  return { places, drawn: drawBlocks(state, blocks) }
}

function draw(state: EditorState, places: readonly Y.RelativePosition[]): DecorationSet {
  return drawBlocks(
    state,
    places.flatMap((place) => {
      const position = toPosition(state, place)
      if (position === undefined) return []
      const resolved = state.doc.resolve(position)
      return resolved.parent.isTextblock ? [resolved.before()] : []
    }),
  )
}

function drawBlocks({ doc }: EditorState, blocks: readonly number[]): DecorationSet {
  const drawn = blocks.flatMap((block) => {
    const node = doc.nodeAt(block)
    return node ? [Decoration.node(block, block + node.nodeSize, { class: 'changed-block' })] : []
  })
  return DecorationSet.create(doc, drawn)
}
