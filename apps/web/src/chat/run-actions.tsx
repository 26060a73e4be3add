import type { Run } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { Redo2, RotateCw, Undo2 } from 'lucide-react'
import { continueRun, redoRun, undoRun } from '../api/runs.ts'
import { showError } from '../app/toasts.tsx'
import { hasChanged } from '../editor/take-back.ts'
import { Button } from '../ui/button.tsx'
import { TextPairView } from './text-pairs.tsx'

type RunActionsProps = { run: Run; document: string; canEdit: boolean; onShowText: (text: string) => void }

/** What can be done with a run that is over: go on, take back what it changed, put it back, and see what that was. */
export function RunActions({ run, document, canEdit, onShowText }: RunActionsProps) {
  const goOn = useMutation({ mutationFn: () => continueRun(document, run.id), onError: showError })
  const canUndo = canEdit && hasChanged(run)
  const canContinue = canEdit && run.status === 'limit_reached'
  return (
    <>
      {run.changedBlocks && run.changedBlocks.length > 0 && (
        <ChangedBlocks blocks={run.changedBlocks} undone={run.undone === true} onShowText={onShowText} />
      )}
      {(canUndo || canContinue) && (
        <div className="flex flex-wrap gap-2">
          {canContinue && (
            <Button size="small" disabled={goOn.isPending} onClick={() => goOn.mutate()}>
              <RotateCw size={12} aria-hidden />
              Continue
            </Button>
          )}
          {canUndo && <UndoButton document={document} run={run.id} undone={run.undone === true} />}
        </div>
      )}
    </>
  )
}

type UndoButtonProps = { document: string; run: string; step?: string; undone: boolean; quiet?: boolean }

/** Takes back what a run or one of its steps changed, or puts it back. */
export function UndoButton({ document, run, step, undone, quiet = false }: UndoButtonProps) {
  const act = useMutation({
    mutationFn: () => (undone ? redoRun(document, run, step) : undoRun(document, run, step)),
    onError: showError,
  })
  const Icon = undone ? Redo2 : Undo2
  const word = undone ? 'Redo' : 'Undo'
  if (quiet) {
    return (
      <button
        type="button"
        aria-label={`${word} this step`}
        title={`${word} this step`}
        disabled={act.isPending}
        onClick={() => act.mutate()}
        className="-my-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-faint hover:bg-hover hover:text-ink disabled:opacity-50"
      >
        <Icon size={13} aria-hidden />
      </button>
    )
  }
  return (
    <Button size="small" disabled={act.isPending} onClick={() => act.mutate()}>
      <Icon size={12} aria-hidden />
      {word}
    </Button>
  )
}

type ChangedBlocksProps = {
  blocks: NonNullable<Run['changedBlocks']>
  undone: boolean
  onShowText: (text: string) => void
}

function ChangedBlocks({ blocks, undone, onShowText }: ChangedBlocksProps) {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-ink-soft hover:text-ink">
        Show changes
        <span className="text-ink-faint">
          {' '}
          · {blocks.length} {blocks.length === 1 ? 'block' : 'blocks'}
        </span>
      </summary>
      <ul aria-label="Changed blocks" className="mt-1.5 flex flex-col gap-1">
        {blocks.map((pair, index) => (
          <li key={index}>
            <button
              type="button"
              title="Show in the text"
              onClick={() => onShowText(undone ? pair.before : pair.after)}
              className="block w-full rounded-md bg-sunken px-2.5 py-1.5 text-start hover:bg-hover"
            >
              <TextPairView pair={pair} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
