import type { Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'
import { blockPrefix } from '../../render/render-block.ts'
import type { Block } from '../../document/blocks.ts'

/** The kind of a marker that reads show before the text of a block. */
export type MarkerKind = 'heading' | 'list' | 'quote'

const patterns: readonly [MarkerKind, RegExp][] = [
  ['list', /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/],
  ['heading', /^\s*#{1,6}[ \t]+/],
  ['quote', /^\s*(?:>[ \t]?)+/],
]

function firstMarker(line: string): { kind: MarkerKind; rest: string } | undefined {
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(line)
    if (match) return { kind, rest: line.slice(match[0].length) }
  }
  return undefined
}

// Reads show the number of a block before its line.
function withoutNumber(line: string): string {
  return line.replace(/^\s*\[\d+\]\s+/, '')
}

/**
 * The texts that a line can represent if its first markers are those that reads show; the line itself isn't among them.
 * `## 4. Board` can be the heading `4. Board`, or less likely the item `Board`.
 */
export function markerReadings(line: string): { text: string; markers: MarkerKind[] }[] {
  const readings: { text: string; markers: MarkerKind[] }[] = []
  const bare = withoutNumber(line)
  if (bare !== line) readings.push({ text: bare, markers: [] })
  const markers: MarkerKind[] = []
  for (let next = firstMarker(bare); next; next = firstMarker(next.rest)) {
    markers.push(next.kind)
    readings.push({ text: next.rest, markers: [...markers] })
  }
  return readings
}

/** A new line without the markers of the searched text: removes only markers of the same kinds, in the same order. */
export function withoutSameMarkers(line: string, markers: readonly MarkerKind[]): string {
  let rest = withoutNumber(line)
  for (const kind of markers) {
    const next = firstMarker(rest)
    if (next?.kind !== kind) break
    rest = next.rest
  }
  return rest
}

/**
 * A new line for the whole text of a block, without the markers that reads show before that text: the line may repeat
 * them although the searched text omitted them. Any other marker is content, such as the number in a heading `3.
 * Board`.
 */
export function withoutOwnMarkers(line: string, block: Block, doc: Node): string {
  const own = ownMarker(block, doc)
  const rest = line.trimStart()
  if (own === '') return line
  const next = firstMarker(rest)
  const isBullet = /^[-*+](?: |$)/.test(own) && /^[-*+]\s/.test(rest)
  if (own.endsWith(']') && box.test(rest)) return rest.replace(box, '')
  return next && (isBullet || rest.startsWith(`${own} `)) ? next.rest : line
}

function ownMarker(block: Block, doc: Node): string {
  const { node } = block
  if (node.type.name === 'heading') return '#'.repeat(Number(node.attrs.level))
  return blockPrefix(doc, block).trim()
}

// The checkbox of a task, with or without the bullet before it.
const box = /^(?:[-*+][ \t]+)?\[([ xX])\][ \t]+/

/** Checks or unchecks the task that contains a block, according to the checkbox at the beginning of `line`. */
export function setChecked(transform: Transform, block: Block, line: string): void {
  const check = box.exec(withoutNumber(line).trimStart())?.[1]
  const $block = transform.doc.resolve(block.pos)
  if (check === undefined || $block.parent.type.name !== 'taskItem' || $block.index() > 0) return
  const checked = check !== ' '
  if ($block.parent.attrs.checked !== checked) transform.setNodeAttribute($block.before(), 'checked', checked)
}
