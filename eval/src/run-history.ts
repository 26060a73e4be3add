import { contentTypes } from '@copydesk/schema'
import { type EarlierRun, type EarlierStep, failure, type HistoryHost, type ToolResult } from '@copydesk/tools'
import * as Y from 'yjs'
import { z } from 'zod'

const Changed = z.object({ blocks: z.array(z.object({ before: z.string(), after: z.string() })).min(1) })

type Undoable = Y.UndoManager['undoStack'][number]
type Step = EarlierStep & { undone: boolean; items: Undoable[] }
type Run = Omit<EarlierRun, 'steps'> & { undone: boolean; steps: Step[] }

/** The runs of a conversation and what each of them changed, as the server keeps them. */
export type RunHistory = {
  /** What the session of the present run knows of the earlier ones. */
  readonly host: HistoryHost
  /** Begins a run; what is noted from now on belongs to it. */
  begin(by: string, request: string): void
  /** Notes the result of a call that was just executed. */
  note(result: ToolResult): void
  /** The present run; `undefined` if it has changed nothing. */
  changed(): EarlierRun | undefined
  close(): void
}

/** Records changes of `doc` whose transactions have a plain object as their origin, as those of sessions have. */
export function createRunHistory(doc: Y.Doc): RunHistory {
  const scope = [doc.getXmlFragment(contentTypes.fragment), doc.getMap(contentTypes.meta)]
  const manager = new Y.UndoManager(scope, { trackedOrigins: new Set([Object]), captureTimeout: 0 })
  const runs: Run[] = []
  const earlier = (): Run[] => runs.slice(0, -1).filter(({ steps }) => steps.length > 0)
  return {
    host: {
      runs: async () => earlier().toReversed(),
      hasRuns: () => earlier().length > 0,
      async undo(number, part) {
        const run = earlier().find((each) => each.number === number)
        const steps = run?.steps.filter((step) => part === undefined || step.number === part) ?? []
        if (!run || steps.length === 0) return failure('not_found', 'There is no such step.', 'See read_history.')
        for (const step of steps.toReversed()) undo(step, manager)
        run.undone = run.steps.every(({ undone }) => undone)
        return { ok: true }
      },
    },
    begin: (by, request) => void runs.push({ number: runs.length + 1, by, request, undone: false, steps: [] }),
    note(result) {
      const items = manager.undoStack.splice(0)
      const run = runs.at(-1)
      const changed = Changed.safeParse(result.details)
      if (!run || !result.ok || items.length === 0 || !changed.success) return
      const number = run.steps.length + 1
      run.steps.push({ number, summary: result.summary, undone: false, changes: changed.data.blocks, items })
    },
    changed: () => (runs.at(-1)?.steps.length ? runs.at(-1) : undefined),
    close: () => manager.destroy(),
  }
}

function undo(step: Step, manager: Y.UndoManager): void {
  if (step.undone) return
  for (const item of step.items.toReversed()) {
    manager.undoStack.push(item)
    manager.undo()
  }
  step.undone = true
}
