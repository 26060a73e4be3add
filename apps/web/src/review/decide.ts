import { useMutation } from '@tanstack/react-query'
import { type Decision, decideAllChanges, decideChange } from '../api/review.ts'
import { showError } from '../app/toasts.tsx'

/** Decides on one change, or on all without `change`. What the server says against it (somebody was quicker) is shown as it is. */
export function useDecide(document: string) {
  return useMutation({
    mutationFn: ({ change, decision }: { change?: string; decision: Decision }) =>
      change === undefined ? decideAllChanges(document, decision) : decideChange(document, change, decision),
    onError: showError,
  })
}
