import { useMutation } from '@tanstack/react-query'
import { type Decision, decideAllChanges, decideChange } from '../api/review.ts'
import { showError } from '../app/toasts.tsx'

type Deciding = { decision: Decision; change?: string; author?: string; run?: string }

/**
 * Decides on one change, or without `change` on all, on those of an author, or on those of a run. A conflict reported
 * by the server (another user decided first) is shown verbatim.
 */
export function useDecide(document: string) {
  return useMutation({
    mutationFn: ({ change, decision, ...group }: Deciding) =>
      change === undefined ? decideAllChanges(document, decision, group) : decideChange(document, change, decision),
    onError: showError,
  })
}
