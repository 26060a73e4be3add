import type { ErrorBody } from '@copydesk/protocol'
import type { z } from 'zod'
import type * as shapes from './shell-shapes.ts'

/** The shape of a response: a schema, or a function that loads it. */
export type Shape<T> = z.ZodType<T> | (() => Promise<z.ZodType<T>>)

/**
 * The protocol's schemas, loaded in parallel with the first request: the first page is shown without them. Modules that
 * load with the editor import them directly.
 */
export async function loadShapes(): Promise<typeof shapes> {
  return import('./shell-shapes.ts').catch((cause: unknown) => {
    throw unreachable(cause)
  })
}

/**
 * A failed request. `message` says what went wrong, `hint` what to do about it; both are meant for users. `code` is one
 * of the server's codes, or `unreachable` without a response.
 */
export class ApiError extends Error {
  readonly code: ErrorBody['error']['code'] | 'unreachable'
  readonly hint: string | undefined

  constructor(code: ApiError['code'], message: string, hint?: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ApiError'
    this.code = code
    this.hint = hint
  }
}

type RequestOptions = { method?: string; body?: unknown; signal?: AbortSignal }

/**
 * Sends a request under `/api` and parses the JSON response with `shape`. Rejects with `ApiError` for every failure
 * that users can meet, and with the abort reason when `signal` fires.
 */
export async function request<T>(path: string, shape: Shape<T>, options: RequestOptions = {}): Promise<T> {
  const [response, schema] = await Promise.all([send(path, options), typeof shape === 'function' ? shape() : shape])
  const parsed = schema.safeParse(await response.json())
  if (!parsed.success) {
    throw new ApiError('internal', 'The server sent an answer that this page doesn’t understand.', 'Reload the page.', {
      cause: parsed.error,
    })
  }
  return parsed.data
}

/**
 * Sends a request under `/api` (a body of bytes unchanged) and returns the raw response; rejects like `request` when it
 * isn't a success.
 */
export async function send(path: string, { method = 'GET', body, signal }: RequestOptions = {}): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    method,
    ...(signal ? { signal } : {}),
    ...encodeBody(body),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw unreachable(cause)
  })
  if (!response.ok) throw await readFailure(response)
  return response
}

function encodeBody(body: unknown): Pick<RequestInit, 'body' | 'headers'> {
  if (body === undefined) return {}
  if (body instanceof Uint8Array) {
    return { body: Uint8Array.from(body), headers: { 'content-type': 'application/octet-stream' } }
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function unreachable(cause: unknown): ApiError {
  return new ApiError('unreachable', 'The server can’t be reached.', 'Check the connection and try again.', { cause })
}

/** The error for a failed response, in the server's words if it sent any. */
export async function readFailure(response: Response): Promise<ApiError> {
  const { ErrorBody } = await loadShapes()
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined))
  if (body.success) return new ApiError(body.data.error.code, body.data.error.message, body.data.error.hint)
  if (response.status === 401) return new ApiError('unauthenticated', 'You are not signed in.', 'Reload the page.')
  return new ApiError('unavailable', `The server answered with ${response.status}.`, 'Try again in a moment.')
}

/** The message for users about a failure of any kind, in one or two sentences. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return error.hint ? `${error.message} ${error.hint}` : error.message
  return 'Something went wrong. Try again.'
}
