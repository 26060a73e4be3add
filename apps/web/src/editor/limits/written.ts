import { blockLimits, fitAttributes, unfitAttributes } from '@copydesk/schema'
import { AddMarkStep, AttrStep, Mapping, ReplaceAroundStep, type Step } from '@tiptap/pm/transform'
import type { Attrs, Node } from 'prosemirror-model'
import type { EditorState, Transaction } from 'prosemirror-state'
import { t } from '../../i18n/translate.ts'
import { changedRange } from '../common/positions.ts'

type Range = { from: number; to: number }

/** The message that an attribute, a text or a row can't be written, by name. */
function limitMessage(name: string): string {
  switch (name) {
    case 'latex':
      return t('A formula has at most {count, number} characters. Nothing was changed.', { count: blockLimits.latex })
    case 'src':
    case 'href':
      return t('An address has at most {count, number} characters. Nothing was changed.', {
        count: blockLimits.address,
      })
    case 'text':
      return t('A block has at most {count, number} characters. Continue in a new one. Nothing was changed.', {
        count: blockLimits.textBlock,
      })
    case 'columns':
      return t('A table has at most {count, number} columns. Nothing was changed.', { count: blockLimits.columns })
    default:
      return t('A document can’t hold this. Nothing was changed.')
  }
}

/**
 * The part of a transaction that exceeds the document's limits and can't be corrected, as a sentence for the user; null
 * if there is none. Ignores deleted and unchanged content.
 */
export function findTooMuch(transaction: Transaction, before: EditorState): string | null {
  const grows = transaction.doc.content.size > before.doc.content.size
  const { ranges, isOld } = readWritten(transaction)
  for (const range of ranges) {
    const problem = findIn(transaction.doc, range, grows, isOld)
    if (problem !== null) return problem
  }
  return null
}

function findIn(doc: Node, { from, to }: Range, grows: boolean, isOld: (node: Node) => boolean): string | null {
  let problem: string | null = null
  doc.nodesBetween(from, to, (node, position) => {
    if (problem !== null || isOld(node)) return false
    if (grows && node.isTextblock && node.content.size > blockLimits.textBlock) problem = limitMessage('text')
    if (position < from) return true
    problem ??= problemOf(node)
    if (grows && node.type.spec.tableRole && isTooWide(doc, position, node)) problem ??= limitMessage('columns')
    return true
  })
  return problem
}

function problemOf({ type, attrs, marks }: Node): string | null {
  const names = [
    uncorrectable(type.name, attrs),
    ...marks.map((mark) => uncorrectable(mark.type.name, mark.attrs)),
  ].flat()
  const [name] = names
  return name === undefined ? null : limitMessage(name)
}

/** The attributes that can't be corrected. */
function uncorrectable(name: string, attributes: Attrs): string[] {
  if (unfitAttributes(name, attributes).length === 0) return []
  return unfitAttributes(name, fitOrDrop(name, attributes))
}

function fitOrDrop(name: string, attributes: Attrs): Attrs {
  try {
    return fitAttributes(name, attributes, { cuts: true })
  } catch {
    const unfit = new Set(unfitAttributes(name, attributes))
    return Object.fromEntries(Object.entries(attributes).filter(([key]) => !unfit.has(key)))
  }
}

function isTooWide(doc: Node, position: number, node: Node): boolean {
  const row = node.type.spec.tableRole === 'row' ? node : doc.resolve(position).parent
  if (row.type.spec.tableRole !== 'row') return false
  let columns = 0
  for (const { attrs } of row.children) columns += Number(attrs.colspan)
  return columns > blockLimits.columns
}

/**
 * Corrects numbers and words that a transaction has written out of their range. `later` is the mapping of later
 * changes.
 */
export function fitWritten(into: Transaction, written: Transaction, later: readonly Transaction[]): void {
  const onto = new Mapping(later.flatMap(({ mapping }) => mapping.maps))
  const { ranges, isOld } = readWritten(written)
  for (const range of ranges) {
    const [from, to] = [onto.map(range.from, -1), onto.map(range.to, 1)]
    into.doc.nodesBetween(from, Math.min(to, into.doc.content.size), (node, position) => {
      if (isOld(node)) return false
      if (position >= from) fitNode(into, node, position)
      return true
    })
  }
}

function fitNode(into: Transaction, node: Node, position: number): void {
  const names = unfitAttributes(node.type.name, node.attrs)
  if (names.length > 0) {
    const fitted = fitOrDrop(node.type.name, node.attrs)
    for (const name of names) {
      const fallback: unknown = node.type.spec.attrs?.[name]?.default ?? null
      into.setNodeAttribute(position, name, fitted[name] ?? fallback)
    }
  }
  for (const mark of node.marks) {
    if (unfitAttributes(mark.type.name, mark.attrs).length === 0) continue
    const end = position + node.nodeSize
    into.removeMark(position, end, mark).addMark(position, end, mark.type.create(fitOrDrop(mark.type.name, mark.attrs)))
  }
}

// Resolving the position of each step takes time with the square of their number.
const mostSteps = 200

/** The ranges that a transaction has written, in its document; `isOld` tests whether it has kept a node. */
function readWritten(transaction: Transaction): { ranges: Range[]; isOld: (node: Node) => boolean } {
  const { steps, mapping, doc, before } = transaction
  if (steps.length <= mostSteps) {
    const ranges = steps.flatMap((step, index) => {
      const rest = mapping.slice(index + 1)
      return rangesOf(step).map(({ from, to }) => ({ from: rest.map(from, -1), to: rest.map(to, 1) }))
    })
    return { ranges, isOld: () => false }
  }
  const old = new WeakSet<Node>()
  before.descendants((node) => void old.add(node))
  const range = changedRange(before, doc)
  return { ranges: range ? [range] : [], isOld: (node) => old.has(node) }
}

function rangesOf(step: Step): Range[] {
  if (step instanceof AttrStep) return [{ from: step.pos, to: step.pos + 1 }]
  if (step instanceof AddMarkStep) return [{ from: step.from, to: step.to }]
  // The content in the step's gap is written again into the shared document, too.
  if (step instanceof ReplaceAroundStep) {
    const map = step.getMap()
    return [{ from: step.from, to: map.map(step.to, 1) }]
  }
  const ranges: Range[] = []
  step.getMap().forEach((_from, _to, from, to) => {
    if (to > from) ranges.push({ from, to })
  })
  return ranges
}
