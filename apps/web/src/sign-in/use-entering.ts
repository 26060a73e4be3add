import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { parse } from '../api/client.ts'
import { meKey } from '../api/query-client.ts'
import { fetchMe } from '../api/caller/session.ts'
import { t } from '../i18n/translate.ts'

// The link that admitted the user is used up: fetching it again would fail.
const settled = new Set<unknown>([meKey[0], 'link'])

/**
 * The mutation of a form that signs a user in: validates its values with `shape`, calls `enter`, and updates the app's
 * user before `onEntered`.
 */
export function useEntering<T>(
  shape: z.ZodType<T>,
  values: unknown,
  enter: (given: T) => Promise<unknown>,
  onEntered?: () => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await enter(parse(shape, values))
      return fetchMe()
    },
    onSuccess: (me) => {
      onEntered?.()
      queryClient.setQueryData(meKey, me)
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => !settled.has(queryKey[0]) })
    },
  })
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
