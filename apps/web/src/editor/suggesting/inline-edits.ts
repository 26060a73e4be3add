import { type InlineReplacement, readSuggestions } from '@copydesk/schema'
import { Mapping, ReplaceStep, type Step } from '@tiptap/pm/transform'
import type { Fragment, Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'

/** A range of one text block of the document before an edit, and its replacement. */
export type InlineEdit = Omit<InlineReplacement, 'id'>

const changeMarks: ReadonlySet<string> = new Set(['insertion', 'deletion', 'formattingChange'])

/**
 * The edits of transactions that only type, delete or paste within text blocks, in ranges that don't touch each other:
 * in document order and positions of the document before. `undefined` for all other transactions, which have to be
 * diffed.
 */
export function readInlineEdits(
  transactions: readonly Transaction[],
  isOwn: (id: string) => boolean,
): InlineEdit[] | undefined {
  const edits: InlineEdit[] = []
  const back = new Mapping()
  for (const transaction of transactions) {
    for (const [index, step] of transaction.steps.entries()) {
      const edit = readStep(step, transaction.docs[index], isOwn)
      const moved = edit && moveBack(edit, back)
      if (!moved) return undefined
      edits.push(moved)
      back.appendMap(step.getMap())
    }
  }
  const sorted = edits.toSorted((a, b) => a.from - b.from)
  const isApart = sorted.every((edit, index) => index === 0 || (sorted[index - 1]?.to ?? 0) < edit.from)
  return isApart ? sorted : undefined
}

function readStep(step: Step, doc: Node | undefined, isOwn: (id: string) => boolean): InlineEdit | undefined {
  if (!doc || !(step instanceof ReplaceStep)) return undefined
  const { from, to, slice } = step
  const $from = doc.resolve(from)
  if (slice.openStart > 0 || slice.openEnd > 0 || !$from.parent.isTextblock) return undefined
  if (to > $from.end() || !isPlain(slice.content, isOwn)) return undefined
  return { from, to, content: slice.content }
}

// Content with suggestions other than own insertions was moved here; the diff finds out whose they are.
function isPlain(content: Fragment, isOwn: (id: string) => boolean): boolean {
  return content.content.every((node) => {
    if (!node.isInline || readSuggestions(node.attrs.suggestion).length > 0) return false
    const marks = node.marks.filter(({ type }) => changeMarks.has(type.name))
    return marks.every(({ type, attrs }) => type.name === 'insertion' && isOwn(String(attrs.id)))
  })
}

// Maps an edit into the document before all steps so far; undefined if a step works on what another one has written.
function moveBack({ from, to, content }: InlineEdit, done: Mapping): InlineEdit | undefined {
  const inverse = done.invert()
  const [start, end] = [inverse.mapResult(from, 1), inverse.mapResult(to, -1)]
  if (start.deletedAcross || end.deletedAcross) return undefined
  if (end.pos < start.pos || end.pos - start.pos !== to - from) return undefined
  return { from: start.pos, to: end.pos, content }
}
