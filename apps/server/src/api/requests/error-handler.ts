import { localizable } from '@copydesk/tools/localizable'
import { type ErrorCode, errorStatus } from '@copydesk/protocol'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { RateLimited, RequestError } from '../../common/errors.ts'

const byStatus: Record<number, ErrorCode> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  // Fastify answers 414 for a parameter longer than any valid name.
  414: 'not_found',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
}

/** The only place that maps errors to HTTP responses. Errors not caused by the caller are logged here, once. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = toRequestError(error)
  if (known) {
    if (known instanceof RateLimited) reply.header('retry-after', known.retryAfterSeconds)
    reply.status(known.status).send(known.toBody())
    return
  }
  request.log.error({ err: error }, 'request failed')
  const body = new RequestError(
    'internal',
    'Something went wrong on the server.',
    localizable`Tell the operator: ${request.id}`,
  )
  reply.status(body.status).send(body.toBody())
}

/** The error as its response describes it; undefined for a bug or a failure of the server. */
export function toRequestError(error: FastifyError): RequestError | undefined {
  if (error instanceof RequestError) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issue = error.validation[0]
    const field = issue?.instancePath.split('/').filter(Boolean).join('.') ?? ''
    const place = error.validationContext ?? 'request'
    return new RequestError(
      'invalid_input',
      `${field || place}: ${issue?.message ?? 'not valid'}`,
      `Check the ${place}.`,
    )
  }
  const code = error.statusCode === undefined ? undefined : byStatus[error.statusCode]
  if (code && errorStatus[code] < 500) return new RequestError(code, error.message)
  return undefined
}

/** The response for an unknown route. */
export function handleUnknownRoute(request: FastifyRequest, reply: FastifyReply): void {
  const error = new RequestError(
    'not_found',
    `There is no ${request.method} ${request.url.split('?')[0] ?? ''}.`,
    'All routes are in /api/openapi.json.',
  )
  reply.status(error.status).send(error.toBody())
}
