import { useMutation } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { stopRun } from '../api/runs.ts'
import { showError } from '../app/toasts.tsx'
import { Button } from '../ui/button.tsx'
import type { RunView } from './run-view.ts'

/** The current activity of a run, with a button to stop it. */
export function GoingLine({ view, document, run }: { view: RunView; document: string; run: string }) {
  const stop = useMutation({ mutationFn: () => stopRun(document, run), onError: showError })
  // The response only acknowledges the request: the button stays disabled until the room reports that the run has
  // ended.
  const stopping = stop.isPending || stop.isSuccess
  return (
    <div className="flex items-center gap-2 text-sm text-ink-soft">
      <span aria-hidden className="working-dot" />
      <span className="min-w-0 flex-1 truncate">
        {view.headline}
        {view.rounds && <span className="text-ink-faint"> · {view.rounds}</span>}
      </span>
      <Button size="small" disabled={stopping} onClick={() => stop.mutate()}>
        <Square size={10} aria-hidden fill="currentColor" />
        {stopping ? 'Stopping…' : 'Stop'}
      </Button>
    </div>
  )
}
