import { ErrorBody } from '@copydesk/protocol'
import type { z } from 'zod'

type Status = number | '5xx'
type Shapes = {
  readonly params?: z.ZodType
  readonly querystring?: z.ZodType
  readonly body?: z.ZodType
  readonly description?: string
  readonly tags?: readonly string[]
  readonly consumes?: readonly string[]
} & { readonly [status in Status]?: z.ZodType }

type Schema<S> = Omit<S, Status> & {
  summary: string
  response: { [status in keyof S & Status]: S[status] } & { '4xx': typeof ErrorBody }
}

/**
 * The options of a route: its summary in the API's description, the schemas of its inputs, and the schemas of its
 * answers by status. A refused request (`4xx`) is answered with an `ErrorBody`.
 */
export function route<S extends Shapes>(summary: string, shapes: S): { schema: Schema<S> } {
  const entries = Object.entries(shapes)
  const answers = entries.filter(([key]) => /^\d/.test(key))
  const takes = entries.filter(([key]) => !/^\d/.test(key))
  const schema = {
    summary,
    ...Object.fromEntries(takes),
    response: { ...Object.fromEntries(answers), '4xx': ErrorBody },
  }
  return { schema: schema as unknown as Schema<S> }
}

export function operatorRoute<S extends Shapes>(summary: string, shapes: S) {
  return route(`${summary} (operator)`, { ...shapes, tags: ['Operators'] })
}

/** The options of a route for people's accounts. */
export function accountRoute<S extends Shapes>(summary: string, shapes: S) {
  return route(summary, { ...shapes, tags: ['Accounts'] })
}
