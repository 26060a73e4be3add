import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection } from 'prosemirror-state'
import { changesOn, type Stretch, threadsOn } from './anchors.ts'

/** The suggested changes and comment threads at a position, the innermost first. */
export type ReviewAtPlace = { changes: readonly string[]; threads: readonly string[] }

const nothing: ReviewAtPlace = { changes: [], threads: [] }

/**
 * The changes and threads at the caret or at the selected node: in it, adjacent to it, and around it. Empty while text
 * is selected.
 */
export function reviewAtCaret({ selection }: EditorState): ReviewAtPlace {
  const { $head } = selection
  const nodes: Node[] = []
  if (selection instanceof NodeSelection) nodes.push(selection.node)
  else if (selection.empty) nodes.push(...[$head.nodeAfter, $head.nodeBefore].flatMap((node) => node ?? []))
  else return nothing
  for (let depth = $head.depth; depth > 0; depth -= 1) nodes.push($head.node(depth))
  return { changes: unique(nodes.flatMap(changesOn)), threads: unique(nodes.flatMap(threadsOn)) }
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

/** A comment or change and its range. */
type Found = { id: string; place: Stretch }

/**
 * The anchor after or before the current one, or after or before the caret if there is no current one, wrapping around.
 * `anchors` may be in any order; undefined if there are none.
 */
export function nextAnchor(
  anchors: readonly (readonly [id: string, place: Stretch])[],
  caret: number,
  current: string | null,
  step: 1 | -1,
): Found | undefined {
  const sorted = anchors.map(([id, place]): Found => ({ id, place })).toSorted((a, b) => a.place.from - b.place.from)
  const at = sorted.findIndex(({ id }) => id === current)
  if (at >= 0) return sorted[(at + step + sorted.length) % sorted.length]
  if (step === 1) return sorted.find(({ place }) => place.from >= caret) ?? sorted[0]
  return sorted.findLast(({ place }) => place.from < caret) ?? sorted.at(-1)
}
