import { Extension, InputRule } from '@tiptap/core'
import { NodeSelection } from 'prosemirror-state'
import { readAddress } from '../links/links.ts'

const link = /(?<![!\\])\[([^[\]]+)\]\(([^()\s]+)\)$/
const inlineMath = /(?<![\\$\d\p{L}])\$([^\s$](?:[^$]*[^\s$\\])?)\$$/u
const blockMath = /^\$\$\s$/
const task = /^\s*\[([ xX]?)\]\s$/
const strongEmphasis = /(?<![*\w])\*\*\*([^\s*](?:[^*]*[^\s*])?)\*\*\*$/
const closedNumber = /^(\d{1,9})\)\s$/

/**
 * Markdown input rules that the schema's nodes and marks lack: links, bold and italic together, formulas, tasks in a
 * list that begins with a bullet, and numbers with a bracket.
 */
export const MarkdownRules = Extension.create({
  name: 'markdownRules',
  // Before the rules of single nodes.
  priority: 1050,
  addInputRules: () => [linkRule(), strongEmphasisRule(), inlineMathRule(), blockMathRule(), taskRule(), numberRule()],
})

function linkRule(): InputRule {
  return new InputRule({
    find: link,
    handler({ state, range, match }) {
      const [, text = '', typed = ''] = match
      const href = readAddress(typed)
      const mark = state.schema.marks.link
      if (href === null || !mark) return null
      const marks = [...state.doc.resolve(range.from).marks(), mark.create({ href })]
      state.tr.replaceWith(range.from, range.to, state.schema.text(text, marks))
      state.tr.removeStoredMark(mark).setMeta('preventAutolink', true)
      return undefined
    },
  })
}

function strongEmphasisRule(): InputRule {
  return new InputRule({
    find: strongEmphasis,
    handler({ state, range, match }) {
      const { bold, italic } = state.schema.marks
      const $from = state.doc.resolve(range.from)
      if (!bold || !italic || !$from.parent.type.allowsMarkType(bold)) return null
      const marks = italic.create().addToSet(bold.create().addToSet($from.marks()))
      state.tr.replaceWith(range.from, range.to, state.schema.text(match[1] ?? '', marks))
      state.tr.removeStoredMark(bold).removeStoredMark(italic)
      return undefined
    },
  })
}

function inlineMathRule(): InputRule {
  return new InputRule({
    find: inlineMath,
    handler({ state, range, match }) {
      const math = state.schema.nodes.inlineMath?.create({ latex: match[1] ?? '' })
      const $from = state.doc.resolve(range.from)
      if (!math || !$from.parent.canReplaceWith($from.index(), $from.indexAfter(), math.type)) return null
      state.tr.replaceWith(range.from, range.to, math)
      return undefined
    },
  })
}

function blockMathRule(): InputRule {
  return new InputRule({
    find: blockMath,
    handler({ state, range }) {
      const math = state.schema.nodes.blockMath?.create({ latex: '' })
      const $from = state.doc.resolve(range.from)
      const isAlone = $from.parent.content.size === range.to - range.from
      const index = $from.index(-1)
      if (!math || !isAlone || !$from.node(-1).canReplaceWith(index, index + 1, math.type)) return null
      const start = $from.before()
      state.tr.replaceWith(start, $from.after(), math).setSelection(NodeSelection.create(state.tr.doc, start))
      return undefined
    },
  })
}

function taskRule(): InputRule {
  return new InputRule({
    find: task,
    handler({ state, range, match, chain }) {
      const $from = state.doc.resolve(range.from)
      if ($from.node(-1)?.type.name !== 'listItem' || $from.index(-1) !== 0) return null
      const checked = match[1]?.toLowerCase() === 'x'
      chain()
        .deleteRange(range)
        .liftListItem('listItem')
        .toggleList('taskList', 'taskItem')
        .updateAttributes('taskItem', { checked })
        .run()
      return undefined
    },
  })
}

function numberRule(): InputRule {
  return new InputRule({
    find: closedNumber,
    handler({ state, range, match, chain }) {
      if (state.doc.resolve(range.from).node(-1)?.type.name === 'listItem') return null
      chain()
        .deleteRange(range)
        .toggleList('orderedList', 'listItem')
        .updateAttributes('orderedList', { start: Number(match[1]) })
        .run()
      return undefined
    },
  })
}
