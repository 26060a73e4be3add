import type { Node } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { changedRange } from '../common/positions.ts'
import type * as highlighter from './highlighter.ts'
import { findLanguage } from './languages.ts'

type Highlighter = typeof highlighter
type Token = highlighter.Token

type CodeColors = { decorations: DecorationSet; isStale: boolean }

// Limits of the length of code: a longer block is tokenized only after a pause in typing, and the longest never.
const readAtOnce = 4_000
const readAtAll = 100_000
const readLater = 250

const key = new PluginKey<CodeColors>('codeColors')

/**
 * Colours code by decorations; the document isn't changed. Languages are fetched when a document contains code in them,
 * only changed blocks are tokenized again, and long ones once typing pauses. `load` fetches the highlighter.
 */
export function createCodeColors(load: () => Promise<Highlighter>): Plugin<CodeColors> {
  const painter = createPainter()
  return new Plugin<CodeColors>({
    key,
    state: {
      init: (_config, { doc }) => ({ decorations: DecorationSet.empty, isStale: languagesOf(doc).length > 0 }),
      apply: (transaction, colors, before, after) => painter.apply(transaction, colors, before, after),
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
    view: (view) => createCodeColorsView(view, painter, load),
  })
}

type Painter = ReturnType<typeof createPainter>

function createPainter() {
  const known = new WeakMap<Node, readonly Token[]>()
  const self = {
    highlighter: undefined as Highlighter | undefined,
    ready: new Set<string>(),
    isComposing: (): boolean => false,

    apply(transaction: Transaction, colors: CodeColors, before: EditorState, after: EditorState): CodeColors {
      if (transaction.getMeta(key) === 'read') return self.paint(after.doc, 0, after.doc.content.size, colors, true)
      const range = transaction.docChanged ? changedRange(before.doc, after.doc) : null
      if (!range) return colors
      const decorations = colors.decorations.map(range.mapping, after.doc)
      return self.paint(after.doc, range.from, range.to, { ...colors, decorations }, false)
    },

    paint(doc: Node, from: number, to: number, { decorations, isStale }: CodeColors, readsLong: boolean): CodeColors {
      let painted = decorations
      let isLeft = readsLong ? false : isStale
      doc.nodesBetween(from, to, (node, position) => {
        if (node.type.spec.code !== true) return !node.isTextblock
        const tokens = self.read(node, readsLong)
        isLeft ||= tokens === undefined
        if (tokens) painted = replaceColors(painted, doc, node, position, tokens)
        return false
      })
      return { decorations: painted, isStale: isLeft }
    },

    /** The tokens of a block; undefined while its language loads or its tokenizing is postponed. */
    read(node: Node, readsLong: boolean): readonly Token[] | undefined {
      const language = findLanguage(node.attrs.language)
      if (!language || node.content.size > readAtAll) return []
      const before = known.get(node)
      if (before) return before
      const isLater = self.isComposing() || (!readsLong && node.content.size > readAtOnce)
      if (!self.highlighter || !self.ready.has(language.name) || isLater) return undefined
      const tokens = self.highlighter.tokenize(language.name, node.textContent)
      known.set(node, tokens)
      return tokens
    },
  }
  return self
}

function replaceColors(set: DecorationSet, doc: Node, node: Node, position: number, tokens: readonly Token[]) {
  const start = position + 1
  const old = set.find(start, position + node.nodeSize - 1)
  const added = tokens.map(({ from, to, className }) =>
    Decoration.inline(start + from, start + to, { class: className }),
  )
  return old.length === 0 && added.length === 0 ? set : set.remove(old).add(doc, added)
}

function createCodeColorsView(view: EditorView, painter: Painter, load: () => Promise<Highlighter>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const failed = new Set<string>()
  painter.isComposing = () => view.composing

  const read = async () => {
    const wanted = languagesOf(view.state.doc).filter((name) => !painter.ready.has(name) && !failed.has(name))
    if (wanted.length > 0) {
      try {
        painter.highlighter ??= await load()
        for (const name of wanted) if (await painter.highlighter.loadLanguage(name)) painter.ready.add(name)
      } catch {
        // Code also works without colours; a later change tries again.
      }
      for (const name of wanted) if (!painter.ready.has(name)) failed.add(name)
    }
    if (isOver) return
    if (view.composing) return readSoon()
    view.dispatch(view.state.tr.setMeta(key, 'read').setMeta('addToHistory', false))
  }
  const readSoon = (delay = readLater) => {
    clearTimeout(timer)
    timer = setTimeout(() => void read(), delay)
  }
  if (key.getState(view.state)?.isStale === true) readSoon(0)
  return {
    update(_view: EditorView, before: EditorState) {
      const state = key.getState(view.state)
      if (view.state.doc === before.doc || state?.isStale !== true) return
      failed.clear()
      readSoon()
    },
    destroy() {
      isOver = true
      clearTimeout(timer)
    },
  }
}

function languagesOf(doc: Node): string[] {
  const names = new Set<string>()
  doc.descendants((node) => {
    const language = node.type.spec.code === true ? findLanguage(node.attrs.language) : undefined
    if (language) names.add(language.name)
    return !node.isTextblock
  })
  return [...names]
}
