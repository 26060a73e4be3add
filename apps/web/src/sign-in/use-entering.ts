import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { describeError, invalidInput } from '../api/client.ts'
import { meKey } from '../api/query-client.ts'
import { fetchMe } from '../api/caller/session.ts'
import { t } from '../i18n/translate.ts'

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
  throw invalidInput(parsed.error)
}

/** The error message for a redirect back from the OIDC provider with an error; undefined without an error. */
export function oidcProblem(search: string): string | undefined {
  const code = new URLSearchParams(search).get('error')
  if (code === null) return undefined
  switch (code) {
    case 'not_invited':
      return t('That address has not been invited yet. Ask an operator for an invitation.')
    case 'email_not_confirmed':
      return t('That address isn’t confirmed there. Confirm it, then try again.')
    case 'account_not_linked':
      return t(
        'There is already an account with that address. Sign in with its password, then connect it on your account page.',
      )
    case 'account_already_linked_to_different_user':
      return t('That account is already connected with another account here.')
    case 'unable_to_create_session':
      return t('This account is closed. Ask an operator.')
    case 'access_denied':
      return t('The other server refused to sign you in. Try again, or sign in with your password.')
    default:
      return t('Signing in there didn’t work. Try again, or ask an operator.')
  }
}
