/** The error message for a redirect back from the OIDC provider with an error; undefined without an error. */
export function oidcProblem(search: string): string | undefined {
  const code = new URLSearchParams(search).get('error')
  if (code === null) return undefined
  switch (code) {
    case 'not_invited':
      return 'Nobody has invited that address yet. Ask an operator for an invitation.'
    case 'email_not_confirmed':
      return 'That address isn’t confirmed there. Confirm it, then try again.'
    case 'account_not_linked':
      return 'There is an account with that address. Sign in with its password, then connect it on your account page.'
    case 'account_already_linked_to_different_user':
      return 'That account is already connected with somebody else’s.'
    case 'unable_to_create_session':
      return 'This account is closed. Ask an operator.'
    case 'access_denied':
      return 'You were not let in there. Try again, or sign in with your password.'
    default:
      return 'Signing in there didn’t work. Try again, or ask an operator.'
  }
}
