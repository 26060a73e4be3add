import type { Fragment, Node } from 'prosemirror-model'
import type { Transform } from 'prosemirror-transform'

/**
 * Turns `old`, the content of a node that begins at `start`, into `content`, replacing only the runs of children that
 * differ: identical children are kept, and a single child that differs only in its content is changed there. Works from
 * the end to the start, so positions before a run stay valid.
 */
export function reshapeContent(transform: Transform, start: number, old: Fragment, content: Fragment): void {
  const runs = differingRuns(old, content)
  const offsets = offsetsOf(old)
  for (const run of runs.toReversed()) {
    const from = start + (offsets[run.from] ?? 0)
    const to = start + (offsets[run.to] ?? old.size)
    const before = run.to - run.from === 1 ? old.child(run.from) : undefined
    const after = run.put.length === 1 ? run.put[0] : undefined
    if (before && after && isContainer(before) && before.sameMarkup(after)) {
      reshapeContent(transform, from + 1, before.content, after.content)
    } else if (run.put.length === 0) transform.delete(from, to)
    else transform.replaceWith(from, to, run.put)
  }
}

type Run = { from: number; to: number; put: Node[] }

// Kept old children are in their original order, so each of them ends a run.
function differingRuns(old: Fragment, content: Fragment): Run[] {
  const kept = new Map<Node, number>()
  old.forEach((node, _offset, index) => {
    if (!kept.has(node)) kept.set(node, index)
  })
  const runs: Run[] = []
  let run: Run = { from: 0, to: 0, put: [] }
  const close = (to: number): void => {
    run.to = to
    if (run.to > run.from || run.put.length > 0) runs.push(run)
    run = { from: to + 1, to: to + 1, put: [] }
  }
  content.forEach((node) => {
    const index = kept.get(node)
    if (index === undefined || index < run.from) run.put.push(node)
    else close(index)
  })
  run.to = old.childCount
  if (run.to > run.from || run.put.length > 0) runs.push(run)
  return runs
}

function offsetsOf(fragment: Fragment): number[] {
  const offsets: number[] = []
  fragment.forEach((_node, offset) => offsets.push(offset))
  return [...offsets, fragment.size]
}

function isContainer(node: Node): boolean {
  return !node.isTextblock && !node.isLeaf
}
