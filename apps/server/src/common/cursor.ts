import type { z } from 'zod'
import { RequestError } from './errors.ts'
import { parseJson } from './parse-json.ts'

/** Where the next page of a list begins, as text for clients. */
export function writeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** The place in a cursor. @throws RequestError `invalid_input` for a cursor that no page returned. */
export function readCursor<T>(cursor: string, shape: z.ZodType<T>): T {
  const read = shape.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (!read.success) throw unknownCursor()
  return read.data
}

/** A cursor that no page returned. */
export function unknownCursor(): RequestError {
  return new RequestError('invalid_input', 'cursor: not returned by this list.', 'Use nextCursor of the previous page.')
}
