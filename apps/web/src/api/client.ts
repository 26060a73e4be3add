import type { ErrorBody } from '@copydesk/protocol'
import type { z } from 'zod'
import { type EnglishText, sentText, t } from '../i18n/translate.ts'
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
 * A failed request. `message` describes the problem, `hint` the remedy; both are meant for users. `code` is one of the
 * server's codes, or `unreachable` without a response.
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

/** A path under `/api`: each value is encoded as one segment of it. */
export function apiPath(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent))
}

type RequestOptions = { method?: string; body?: unknown; signal?: AbortSignal }

/**
 * Sends a request under `/api` and parses the JSON response with `shape`. Rejects with `ApiError` for every failure,
 * and with the abort reason when `signal` fires.
 */
export async function request<T>(path: string, shape: Shape<T>, options: RequestOptions = {}): Promise<T> {
  const [response, schema] = await Promise.all([send(path, options), typeof shape === 'function' ? shape() : shape])
  const parsed = schema.safeParse(await response.json())
  if (!parsed.success) {
    throw new ApiError(
      'internal',
      t('The server sent an answer that this page doesn’t understand.'),
      t('Reload the page.'),
      {
        cause: parsed.error,
      },
    )
  }
  return parsed.data
}

/**
 * Sends a request under `/api` (a body of bytes unchanged) and returns the raw response; rejects like `request` when it
 * isn't a success.
 */
export async function send(path: string, { method = 'GET', body, signal }: RequestOptions = {}): Promise<Response> {
  const isBytes = body instanceof Uint8Array
  const type = { 'content-type': `application/${isBytes ? 'octet-stream' : 'json'}` }
  const response = await fetch(`/api${path}`, {
    method,
    ...(signal ? { signal } : {}),
    body: isBytes ? Uint8Array.from(body) : body === undefined ? null : JSON.stringify(body),
    headers: body === undefined ? {} : type,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause
    throw unreachable(cause)
  })
  if (!response.ok) throw await readFailure(response)
  return response
}

function unreachable(cause: unknown): ApiError {
  return new ApiError('unreachable', t('The server can’t be reached.'), t('Check the connection and try again.'), {
    cause,
  })
}

/** The error for a failed response, with the server's message if it sent one. */
export async function readFailure(response: Response): Promise<ApiError> {
  const { ErrorBody } = await loadShapes()
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined))
  if (body.success) return sentError(body.data.error)
  if (response.status === 401)
    return new ApiError('unauthenticated', t('You are not signed in.'), t('Reload the page.'))
  return new ApiError(
    'unavailable',
    t('The server answered with {status}.', { status: String(response.status) }),
    t('Try again in a moment.'),
  )
}

// A language's message for server messages that its catalogue lacks.
const inGeneral: Partial<Record<ErrorBody['error']['code'], EnglishText>> = {
  forbidden: 'You may not do this.',
  not_found: 'This doesn’t exist, or isn’t shared with you.',
  too_large: 'This is too large.',
  internal: 'Something went wrong on the server. Try again.',
  unavailable: 'The server can’t do this now. Try again in a moment.',
}

/**
 * An error with the server's message if the catalogue of the user's language has it, else with a general message for
 * its code.
 */
function sentError({ code, message, hint, localizable }: ErrorBody['error']): ApiError {
  const general = inGeneral[code]
  const words = sentText(message, localizable?.message)
  if (words === undefined && general) return new ApiError(code, t(general))
  return new ApiError(code, words ?? message, hint && (sentText(hint, localizable?.hint) ?? hint))
}

/** Parses form values with a schema. @throws ApiError with the first error, in words. */
export function parse<T>(shape: z.ZodType<T>, given: unknown): T {
  const parsed = shape.safeParse(given)
  if (parsed.success) return parsed.data
  throw invalidInput(parsed.error)
}

/** The error for input that doesn't fit a schema of the protocol: the first problem, in words. */
export function invalidInput({ issues: [first] }: z.ZodError): ApiError {
  const message = first?.message ?? ''
  const words = /^(Too|Invalid|Unrecognized) /.test(message) ? undefined : sentText(message)
  return new ApiError('invalid_input', words ?? describeIssue(first))
}

/**
 * The problem of a field for which the schema has no message of its own: Zod's messages are for programmers, and in
 * English.
 */
function describeIssue(issue: z.ZodError['issues'][number] | undefined): string {
  if (issue?.code === 'too_small') return t('Something is missing: fill in every field.')
  if (issue?.code === 'too_big' && issue.origin === 'string')
    return t('Too long: at most {count} characters.', { count: String(issue.maximum) })
  return t('Something here isn’t valid. Check what you have entered.')
}

/** The message for users about any failure, in one or two sentences. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) return error.hint ? `${error.message} ${error.hint}` : error.message
  return t('Something went wrong. Try again.')
}
