import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { type ApiDeps, findPerson } from './context.ts'

// Of what anybody may send, such as a name or a password, nothing is nearly as large.
const fromAnybodyBytes = 64 * 1024

/**
 * Refuses large bodies, and those that don't say how large they are, of whoever has no session before they are read: to take one costs
 * memory, and to read it as JSON holds everybody up. A hook for before the body is parsed; it throws RequestError `unauthenticated`.
 */
export function refuseLargeFromStrangers(deps: Pick<ApiDeps, 'identify'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && Number(length) <= fromAnybodyBytes) return
    if (await findPerson(request, deps)) return
    throw new RequestError('unauthenticated', 'You are not signed in.', 'Sign in before you send so much.')
  }
}
