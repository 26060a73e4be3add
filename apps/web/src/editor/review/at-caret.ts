import type { Node } from 'prosemirror-model'
import { type EditorState, NodeSelection } from 'prosemirror-state'
import { changesOn, threadsOn } from './anchors.ts'

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
