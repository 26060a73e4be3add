import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { showError } from './toasts/toasts.tsx'

type ActionOptions<Result, Input> = {
  /** The keys of the cached queries that the action changes; they are fetched again. */
  changes?: QueryKey | undefined
  onDone?: ((result: Result, input: Input) => void) | undefined
}

/** A request of the user, for example by a button. A failure is shown as a toast. */
export function useAction<Result, Input = void>(
  act: (input: Input) => Promise<Result>,
  options: ActionOptions<Result, Input> = {},
) {
  return useChange(act, options, showError)
}

/** The same for a form, which shows failures itself. */
export function useSaving<Result, Input = void>(
  save: (input: Input) => Promise<Result>,
  options: ActionOptions<Result, Input> = {},
) {
  return useChange(save, options)
}

function useChange<Result, Input>(
  act: (input: Input) => Promise<Result>,
  { changes, onDone }: ActionOptions<Result, Input>,
  onError?: (error: Error) => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (result, input) => onDone?.(result, input),
    onSettled: () => changes && queryClient.invalidateQueries({ queryKey: changes }),
    ...(onError ? { onError } : {}),
  })
}
