import type { Account, CreatedInvitation, Session } from '@copydesk/protocol'
import { type Answer, callApi } from './call-api.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** The default password of all users that `signUp` creates. */
export const testPassword = 'copper lantern walnut'

/** A user with an account, signed in. `call` takes paths that begin with `/api`. */
export type AccountHolder = Session & {
  email: string
  call: <T>(method: string, path: string, body?: unknown) => Promise<Answer<T>>
}

/** Calls routes without a session. */
export function callAsNobody(url: string): AccountHolder['call'] {
  return callApi(url, '', '')
}

/** A server with accounts and two users: Ana, the operator, and Ben. */
export async function startServerOfTwo(): Promise<{ server: TestServer; ana: AccountHolder; ben: AccountHolder }> {
  const server = await startTestServer({ AUTH: 'accounts' })
  const ana = await signUp(server.url, server.setUpToken, 'Ana')
  return { server, ana, ben: await signUp(server.url, await invite(ana), 'Ben') }
}

/** Creates an account with a set-up or invitation token; the email address is made from the name. */
export async function signUp(url: string, token: string, name: string): Promise<AccountHolder> {
  const email = `${name.toLowerCase()}@example.org`
  const body = { token, name, email, password: testPassword }
  const answer = await callAsNobody(url)<Session>('POST', '/api/auth/sign-up', body)
  if (answer.status !== 200) throw new Error(`${name} could not sign up: ${JSON.stringify(answer.body)}`)
  return hold(url, answer.body, email)
}

/** The token of a new invitation by an operator. */
export async function invite(operator: Pick<AccountHolder, 'call'>, email?: string): Promise<string> {
  const { body } = await operator.call<CreatedInvitation>('POST', '/api/auth/invitations', email ? { email } : {})
  return body.url.split('#')[1] ?? ''
}

/** Signs a user in again, in a further session. */
export async function signInAgain(url: string, { email }: Pick<Account, 'email'>): Promise<AccountHolder> {
  const { body } = await callAsNobody(url)<Session>('POST', '/api/auth/sign-in', { email, password: testPassword })
  return hold(url, body, email)
}

function hold(url: string, session: Session, email: string): AccountHolder {
  return { ...session, email, call: callApi(url, session.token, '') }
}
