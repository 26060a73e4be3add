import { failure, type ToolFailure, localizable } from '@copydesk/tools'
import { fetch, type RequestInit } from 'undici'
import type { z } from 'zod'
import { parseJson } from '../common/parse-json.ts'
import { readLimited } from './guarded-fetch.ts'

/** A configured search service. `key` is the variable that contains its key, `address` the one with its address. */
export type Service = { name: string; key?: string; address: string }

const answerLimit = 2 * 1024 * 1024
const answerWithinMs = 15_000

/** The options of a request to a service; `timeoutMs` is 15 seconds by default. */
export type ServiceRequest = RequestInit & { signal: AbortSignal; timeoutMs?: number | undefined }

/**
 * Sends a request to a configured service, whose address is trusted and may be local, and reads its answer. Redirects
 * are not followed, so that its key is sent to no other address. Errors are returned as a failure that names the cause;
 * rejects only if the signal is aborted.
 */
export async function askService<Schema extends z.ZodType>(
  service: Service,
  url: URL,
  schema: Schema,
  { signal, timeoutMs = answerWithinMs, ...request }: ServiceRequest,
): Promise<{ ok: true; answer: z.infer<Schema> } | ToolFailure> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const init: RequestInit = { ...request, redirect: 'manual', signal: AbortSignal.any([signal, timeout]) }
    const response = await fetch(url, init)
    if (!response.ok) {
      await response.body?.cancel()
      return refused(service, response.status, response.headers.get('retry-after'))
    }
    const bytes = await readLimited(response.body ?? [], answerLimit)
    const parsed = bytes && schema.safeParse(parseJson(Buffer.from(bytes).toString('utf8')))
    if (parsed?.success) return { ok: true, answer: parsed.data }
    return failure('unavailable', localizable`${service.name} answered with something else than results.`, onceMore)
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) {
      return failure(
        'unavailable',
        localizable`${service.name} did not answer within ${timeoutMs / 1000} seconds.`,
        onceMore,
      )
    }
    const cause = causeOf(error)
    const message = `${service.name} could not be reached${cause === undefined ? '' : ` (${cause})`}.`
    return failure('unavailable', message, localizable`${onceMore} An operator checks ${service.address}.`)
  }
}

const onceMore = 'Try once more; if that fails, go on without it and say so.'

function refused({ name, key, address }: Service, status: number, retryAfter: string | null): ToolFailure {
  const answered = `${name} answered ${status}.`
  if (status === 401 || status === 403) {
    const set = key === undefined ? `sets up ${address} so that it answers programs` : `sets a valid ${key}`
    return failure(
      'not_configured',
      localizable`${name} refused the request (${status}).`,
      localizable`Say that an operator ${set}.`,
    )
  }
  // Tavily uses 432 and 433 for used-up plans.
  if (status === 429 || status === 432 || status === 433) {
    const wait = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? ` It takes more in ${retryAfter} seconds.` : ''
    return failure(
      'unavailable',
      localizable`${name} takes no more requests now (${status}).${wait}`,
      'Go on without it, and say so.',
    )
  }
  return failure(
    'unavailable',
    answered,
    status >= 500 ? onceMore : localizable`Say that an operator has to check ${address}.`,
  )
}

function causeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : causeOf(error.cause)
}
