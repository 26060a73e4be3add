import { CircleAlert } from 'lucide-react'
import { Avatar } from '../ui/avatar.tsx'
import type { Entry } from './entries.ts'
import { GoingLine } from './going-line.tsx'
import { MarkdownView } from './markdown-view.tsx'
import { RunActions } from './run-actions.tsx'
import { type RunView, viewRun } from './run-view.ts'
import { Steps } from './steps.tsx'
import { TimeOfDay } from './time-of-day.tsx'

type RunEntryProps = {
  entry: Extract<Entry, { kind: 'run' }>
  behindOwn: boolean
  document: string
  canEdit: boolean
  onShowText: (text: string) => void
}

/** A run: who asked if that wasn't here, its steps, how it stands, and the answer. */
export function RunEntry({ entry, behindOwn, document, canEdit, onShowText }: RunEntryProps) {
  const { run, answer, asked } = entry
  const view = viewRun(run, behindOwn)
  return (
    <li
      data-run={run.id}
      data-run-status={run.status}
      tabIndex={-1}
      className="scroll-mt-3 rounded-lg outline-offset-4"
    >
      {asked && (
        <p dir="auto" className="mb-2 border-l-2 border-line pl-3 text-sm break-words text-ink-soft">
          <span className="font-medium text-ink">{asked.by.name}</span> {asked.how}: {asked.text}
        </p>
      )}
      <div className="mb-1 flex items-center gap-2">
        <Avatar name="Agent" color="" kind="agent" size={22} />
        <span className="text-sm font-semibold">Agent</span>
        <TimeOfDay iso={run.createdAt} />
        <RunState view={view} undone={run.undone === true} />
      </div>
      <div className="flex flex-col gap-2">
        <Steps steps={run.steps} going={view.tone === 'going'} context={{ run: run.id, document, canEdit }} />
        {answer && <MarkdownView text={answer} />}
        {run.notice && <p className="text-sm text-ink-soft">{run.notice}</p>}
        {view.problem && (
          <p className="flex gap-2 rounded-lg bg-danger-soft px-3 py-2 text-sm text-danger">
            <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
            <span className="min-w-0 break-words">{view.problem}</span>
          </p>
        )}
        {view.tone !== 'going' && (
          <RunActions run={run} document={document} canEdit={canEdit} onShowText={onShowText} />
        )}
        {view.canStop && <GoingLine view={view} document={document} run={run.id} />}
      </div>
    </li>
  )
}

function RunState({ view, undone }: { view: RunView; undone: boolean }) {
  if (view.tone === 'going') return null
  if (undone) return <span className="text-xs text-ink-faint">Taken back</span>
  const tone = { good: 'text-good', problem: 'text-danger', quiet: 'text-ink-faint' }[view.tone]
  return <span className={`text-xs ${tone}`}>{view.headline}</span>
}
