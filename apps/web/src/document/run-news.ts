import { isFinal, type Run } from '@copydesk/protocol'
import type { EditorView } from 'prosemirror-view'
import { findBlock } from '../editor/find-block.ts'

type Runs = ReadonlyMap<string, Run>

/** The runs that have ended between two snapshots of a room, and have changed the text. */
export function endedWithChanges(before: Runs, after: Runs): Run[] {
  return [...after.values()].filter((run) => {
    const known = before.get(run.id)
    const hasEnded = isFinal(run.status) && known !== undefined && !isFinal(known.status)
    return hasEnded && run.undone !== true && (run.changedBlocks?.length ?? 0) > 0
  })
}

/** What a run did, in a sentence, for the user `self`. */
export function describeNews(run: Run, self: string): string {
  const count = run.changedBlocks?.length ?? 0
  const what = count === 1 ? '1 paragraph' : `${count} paragraphs`
  const forWhom = run.invokedBy.id === self ? '' : ` for ${run.invokedBy.name}`
  return run.mode === 'suggest'
    ? `The agent made suggestions in ${what}${forWhom}.`
    : `The agent changed ${what}${forWhom}.`
}

/** Whether a part of what a run changed is in view. */
export function isInView(view: EditorView, run: Run): boolean {
  const scroller = view.dom.closest('[data-scroller]')
  if (!scroller || view.isDestroyed) return false
  const frame = scroller.getBoundingClientRect()
  return (run.changedBlocks ?? []).some(({ after }) => {
    const place = findBlock(view.state.doc, after)
    if (place === undefined) return false
    const { top, bottom } = view.coordsAtPos(place)
    return bottom > frame.top && top < frame.bottom
  })
}
