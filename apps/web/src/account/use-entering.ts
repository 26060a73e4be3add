import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { ApiError, describeError } from '../api/client.ts'
import { fetchMe } from '../api/session.ts'
import { meKey } from '../app/query-client.ts'

// The link that admitted the user is used up: fetching it again would fail.
const settled = new Set<unknown>([meKey[0], 'link'])

/**
 * Submits a form that signs a user in: validates with `shape`, calls `enter`, and updates the app's user before
 * `onEntered`. `problem` is the error, in words.
 */
export function useEntering<T>(shape: z.ZodType<T>, enter: (given: T) => Promise<unknown>, onEntered?: () => void) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const mutation = useMutation({
    mutationFn: async (given: unknown) => {
      await enter(parse(shape, given))
      return fetchMe()
    },
    onSuccess: (me) => {
      onEntered?.()
      queryClient.setQueryData(meKey, me)
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => !settled.has(queryKey[0]) })
    },
    onError: (error) => setProblem(describeError(error)),
  })
  const submit = (given: unknown) => {
    setProblem(undefined)
    mutation.mutate(given)
  }
  return { submit, problem, isPending: mutation.isPending }
}

/** Parses form values with a schema. @throws ApiError with the first error, in words. */
export function parse<T>(shape: z.ZodType<T>, given: unknown): T {
  const parsed = shape.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ApiError('invalid_input', parsed.error.issues[0]?.message ?? 'Something in this form is not right.')
}
