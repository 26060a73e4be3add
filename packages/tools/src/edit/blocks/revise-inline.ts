import { diffText, type Hunk, reviewMarkNames } from '@copydesk/schema'
import type { Fragment, Mark, Node, Schema } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { isVisible } from '../../document/blocks.ts'

// One UTF-16 unit of a line, or one atom. `pos` is its offset in the text block's content.
type Unit = { text: string; atom: Node | undefined; marks: readonly Mark[]; pos: number }

const atomCharacter = '\uFFFC'

/**
 * Changes the visible inline content of the text block at `pos` so that it reads as `content`, changing only the
 * characters and formats that differ. Comments, suggestions and carets elsewhere in the line are kept; new text
 * inherits the comments of the replaced text. A mention is kept if the new content has its `@label` as text. Highlights
 * keep their colour.
 */
export function reviseInline(transform: Transform, pos: number, block: Node, content: Fragment): void {
  const old = unitsOf(block.content)
  const now = withMentions(unitsOf(content), old)
  const texts = diffText({ text: textOf(old) }, { text: textOf(now) }, { keepsFew: true })
  const hunks = withChangedAtoms(texts, old, now)
  const start = pos + 1
  if (block.type.spec.code !== true) changeFormats(transform, start, hunks, old, now)
  for (const hunk of hunks.toReversed()) replaceHunk(transform, start, hunk, old, now)
}

function unitsOf(content: Fragment): Unit[] {
  const units: Unit[] = []
  content.forEach((node, offset) => {
    if (!isVisible(node)) return
    const { marks } = node
    if (!node.isText) units.push({ text: atomCharacter, atom: node, marks, pos: offset })
    else
      for (const [at, text] of (node.text ?? '').split('').entries()) {
        units.push({ text, atom: undefined, marks, pos: offset + at })
      }
  })
  return units
}

function textOf(units: readonly Unit[]): string {
  return units.map((unit) => unit.text).join('')
}

// Markdown represents a mention only by its label, so the label at the position of a mention represents that mention.
function withMentions(now: readonly Unit[], old: readonly Unit[]): Unit[] {
  const units = [...now]
  let from = 0
  for (const { atom } of old) {
    if (atom?.type.name !== 'mention') continue
    const name = `@${String(atom.attrs.label)}`
    const text = textOf(units)
    const at = text.indexOf(name, from)
    if (at < 0 || /^[\p{L}\p{N}]/u.test(text.slice(at + name.length))) continue
    units.splice(at, name.length, { text: atomCharacter, atom, marks: [], pos: 0 })
    from = at + 1
  }
  return units
}

// The text comparison treats all atoms as equal: different atoms are replaced here.
function withChangedAtoms(hunks: readonly Hunk[], old: readonly Unit[], now: readonly Unit[]): Hunk[] {
  const all: Hunk[] = []
  forUnchanged(hunks, old, (from, at) => {
    const before = old[from]?.atom
    const after = now[at]?.atom
    if (before !== after && !(before && after && isSameAtom(before, after))) {
      all.push({ from, to: from + 1, at, end: at + 1 })
    }
  })
  return [...all, ...hunks].toSorted((a, b) => a.from - b.from || a.to - b.to)
}

function isSameAtom(a: Node, b: Node): boolean {
  const bare = (node: Node): string => JSON.stringify({ ...node.attrs, threads: null, suggestion: null })
  return a.type === b.type && bare(a) === bare(b)
}

function forUnchanged(hunks: readonly Hunk[], old: readonly Unit[], visit: (from: number, at: number) => void): void {
  let from = 0
  let at = 0
  for (const hunk of [...hunks, { from: old.length, to: old.length, at: 0, end: 0 }]) {
    for (; from < hunk.from; from++, at++) visit(from, at)
    from = hunk.to
    at = hunk.end
  }
}

type FormatRun = { from: number; to: number; before: readonly Mark[]; after: readonly Mark[] }

function changeFormats(
  transform: Transform,
  start: number,
  hunks: readonly Hunk[],
  old: readonly Unit[],
  now: readonly Unit[],
): void {
  const runs: FormatRun[] = []
  forUnchanged(hunks, old, (index, at) => {
    const unit = old[index]
    const after = now[at]?.marks ?? []
    if (!unit || unit.atom || sameFormats(unit.marks, after)) return
    const from = start + unit.pos
    const last = runs.at(-1)
    if (last?.to === from && last.before === unit.marks && last.after === after) last.to++
    else runs.push({ from, to: from + 1, before: unit.marks, after })
  })
  for (const { from, to, before, after } of runs) {
    for (const mark of before) if (isFormat(mark) && !holds(after, mark)) transform.removeMark(from, to, mark)
    for (const mark of after) if (isFormat(mark) && !holds(before, mark)) transform.addMark(from, to, mark)
  }
}

const reviewMarks: readonly string[] = reviewMarkNames

function isFormat(mark: Mark): boolean {
  return !reviewMarks.includes(mark.type.name)
}

function sameFormats(a: readonly Mark[], b: readonly Mark[]): boolean {
  const formats = a.filter(isFormat)
  return formats.length === b.filter(isFormat).length && formats.every((mark) => holds(b, mark))
}

// Markdown doesn't represent the colour of a highlight.
function holds(marks: readonly Mark[], mark: Mark): boolean {
  return marks.some((each) => (mark.type.name === 'highlight' ? each.type === mark.type : each.eq(mark)))
}

function replaceHunk(transform: Transform, start: number, hunk: Hunk, old: readonly Unit[], now: readonly Unit[]) {
  const ranges = visibleRuns(old.slice(hunk.from, hunk.to), start)
  const before = old[hunk.from - 1]
  const pos = start + (before ? before.pos + 1 : (old[0]?.pos ?? 0))
  const first = ranges[0] ?? { from: pos, to: pos }
  for (const { from, to } of ranges.slice(1).toReversed()) transform.delete(from, to)
  const nodes = nodesOf(now.slice(hunk.at, hunk.end), inherited(hunk, old), transform.doc.type.schema)
  if (nodes.length > 0) transform.replaceWith(first.from, first.to, nodes)
  else if (first.to > first.from) transform.delete(first.from, first.to)
}

// Text that a suggestion has deleted may be in between; it is kept.
function visibleRuns(units: readonly Unit[], start: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (const { pos, atom } of units) {
    const last = runs.at(-1)
    const size = atom?.nodeSize ?? 1
    if (last?.to === start + pos) last.to += size
    else runs.push({ from: start + pos, to: start + pos + size })
  }
  return runs
}

// The comments and the pending insertion that new text gets: those of the replaced text, or those on both sides.
function inherited(hunk: Hunk, old: readonly Unit[]): readonly Mark[] {
  const replaced = old.slice(hunk.from, hunk.to).find((unit) => !unit.atom)
  const isKept = (mark: Mark): boolean => mark.type.name === 'comment' || mark.type.name === 'insertion'
  if (replaced) return replaced.marks.filter(isKept)
  const after = old[hunk.to]?.marks ?? []
  return (old[hunk.from - 1]?.marks ?? []).filter((mark) => isKept(mark) && mark.isInSet(after))
}

function nodesOf(units: readonly Unit[], base: readonly Mark[], schema: Schema): Node[] {
  const nodes: Node[] = []
  let text = ''
  units.forEach((unit, index) => {
    if (unit.atom) {
      nodes.push(unit.atom)
      return
    }
    text += unit.text
    const next = units[index + 1]
    if (next && !next.atom && next.marks === unit.marks) return
    const formats: readonly Mark[] = unit.marks.filter(isFormat)
    nodes.push(
      schema.text(
        text,
        base.reduce((set, mark) => mark.addToSet(set), formats),
      ),
    )
    text = ''
  })
  return nodes
}
