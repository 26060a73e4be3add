import type { FastifyRequest } from 'fastify'
import type { Accounts } from '../../auth/accounts/accounts.ts'
import { Attempts, Slowdown, type SlowdownLimit } from '../../auth/attempts.ts'
import { addressHeader } from '../../auth/library/auth-library.ts'
import type { Caller, PersonCaller } from '../../auth/callers.ts'
import { networkOf } from '../../common/client-address.ts'
import { RateLimited, RequestError } from '../../common/errors.ts'
import { type ApiDeps, credentialOf, requireCaller } from './context.ts'

/** The accounts service. @throws RequestError `not_found` with AUTH=open. */
export function requireAccounts({ accounts }: Pick<ApiDeps, 'accounts'>): Accounts {
  if (accounts) return accounts
  throw new RequestError('not_found', 'This server has no accounts.', 'An operator sets AUTH=accounts.')
}

/** The accounts service, if an OIDC server is configured. @throws RequestError `not_found` or `not_configured`. */
export function requireOidc(deps: Pick<ApiDeps, 'accounts'>): Accounts {
  const accounts = requireAccounts(deps)
  if (accounts.oidcName !== undefined) return accounts
  throw new RequestError('not_configured', 'Single sign-on is not set up.', 'An operator sets OIDC_ISSUER.')
}

type SignedIn = Extract<Caller, { kind: 'person' }> & { accounts: Accounts; credential: string; session: string }

/**
 * The caller, authenticated by a session: API keys may not manage accounts.
 * @throws RequestError `not_found`, `unauthenticated` or `forbidden`.
 */
export async function requireSession(request: FastifyRequest, deps: ApiDeps): Promise<SignedIn> {
  const accounts = requireAccounts(deps)
  const caller = await requireCaller(request, deps)
  const { session } = caller
  if (session === undefined) {
    throw new RequestError(
      'forbidden',
      'Only a signed-in person can do this.',
      'API keys give access to documents only.',
    )
  }
  return { ...caller, accounts, credential: credentialOf(request) ?? '', session }
}

/** The caller, if they are an operator. @throws RequestError as `requireSession`. */
export async function requireOperator(request: FastifyRequest, deps: ApiDeps): Promise<SignedIn> {
  const caller = await requireSession(request, deps)
  if (await caller.accounts.admin.isOperator(caller.user.id)) return caller
  throw new RequestError('forbidden', 'Only operators of this server can do this.', 'Ask one of them.')
}

/**
 * The caller, if they may configure agents and models: an operator; without accounts everybody, if only the server's
 * own machine can reach the server.
 * @throws RequestError as `requireOperator`.
 */
export async function requireAgentOperator(request: FastifyRequest, deps: ApiDeps): Promise<PersonCaller> {
  return deps.isOnOwnMachine ? requireCaller(request, deps) : requireOperator(request, deps)
}

/**
 * The headers passed to the authentication library: user agent, cookies, and the client address from the socket (or a
 * trusted proxy).
 */
export function libraryHeaders(request: FastifyRequest): Headers {
  const headers = new Headers({ [addressHeader]: request.ip })
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  return headers
}

const minute = 60_000
const startsLimit = { times: 200, withinMs: 10 * minute }
const limits = {
  address: { atOnce: 60, perHour: 360 },
  // Limits of one account: from one client address, from all addresses, and from one device that has signed in to it
  // before.
  accountFromAddress: { atOnce: 10, perHour: 30 },
  account: { atOnce: 30, perHour: 60 },
  accountOnDevice: { atOnce: 20, perHour: 60 },
} satisfies Record<string, SlowdownLimit>

/** The target of a password attempt: an account, and the device if it has signed in to that account before. */
export type AttemptTarget = { account: string; device?: string | undefined }

/**
 * Counts failed attempts by client address and account, and delays them. Attempts by strangers do not block a device
 * that has signed in to the account before. `count` and `attempt` throw RateLimited over the limit.
 */
export function createGuard(elapsed: () => number) {
  const byAddress = new Slowdown(limits.address, elapsed)
  const fromAddress = new Slowdown(limits.accountFromAddress, elapsed)
  const byAccount = new Slowdown(limits.account, elapsed)
  const onDevice = new Slowdown(limits.accountOnDevice, elapsed)
  const starts = new Attempts(startsLimit, elapsed)
  const countersOf = (address: string, tried: AttemptTarget | undefined): [Slowdown, string][] => {
    if (!tried) return [[byAddress, address]]
    const { account, device } = tried
    if (device !== undefined) return [[onDevice, `${device} ${account}`]]
    return [
      [byAddress, address],
      [fromAddress, `${address} ${account}`],
      [byAccount, account],
    ]
  }
  const takeAll = (counters: readonly [Slowdown, string][]): void => {
    for (const [index, [counter, key]] of counters.entries()) {
      const wait = counter.take(key)
      if (wait === 0) continue
      // A refused attempt counts nowhere.
      for (const [before, its] of counters.slice(0, index)) before.refund(its)
      throw new RateLimited('Too many attempts.', wait)
    }
  }
  return {
    /** Counts a request that needs no authentication and always writes to the store. */
    count(request: FastifyRequest): void {
      const wait = starts.take(networkOf(request.ip))
      if (wait > 0) throw new RateLimited('Too many attempts.', wait)
    },
    /** Runs an action that may fail; only failures count. */
    async attempt<T extends { ok: boolean }>(
      request: FastifyRequest,
      tried: AttemptTarget | undefined,
      action: () => Promise<T>,
    ): Promise<T> {
      const counters = countersOf(networkOf(request.ip), tried)
      takeAll(counters)
      const outcome = await action()
      if (outcome.ok) for (const [counter, key] of counters) counter.refund(key)
      return outcome
    },
  }
}

/** The attempt counters for the routes of one server. */
export type Guard = ReturnType<typeof createGuard>
