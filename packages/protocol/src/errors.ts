import { z } from 'zod'
import type { Localizable } from './localizable.ts'

/** Every error code of HTTP responses, with its status. */
export const errorStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  ambiguous: 409,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  rate_limited: 429,
  budget_exceeded: 429,
  internal: 500,
  not_configured: 501,
  unavailable: 503,
  quota_exceeded: 507,
} as const

/** A code of `errorStatus`. */
export type ErrorCode = keyof typeof errorStatus

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

/** The body of every failed request: the problem and, if available, a hint for resolving it. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(codes),
      message: z.string(),
      hint: z.string().optional(),
      /**
       * The translatable forms of the texts that contain values, each a `Localizable`; its schema is too large for the
       * first page.
       */
      localizable: z
        .object({ message: z.custom<Localizable>().optional(), hint: z.custom<Localizable>().optional() })
        .optional(),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof ErrorBody>
