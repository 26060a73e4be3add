import type { z } from 'zod'
import type { UnknownArgument } from './input-names.ts'
import { failure, shorten, type ToolFailure } from '../common/result.ts'

/**
 * The `invalid_input` result for arguments that don't fit a tool's schema: its hint names each field and its valid
 * values.
 */
export function invalidInput(tool: string, error: z.ZodError): ToolFailure {
  const lines = flatten(error.issues).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  const hint = [...new Set(lines)].slice(0, 8).join('\n')
  return failure('invalid_input', `The arguments of ${tool} don't fit.`, hint)
}

/** The `invalid_input` result for arguments that a tool doesn't know: nothing is silently dropped. */
export function unknownInput(tool: string, unknown: readonly UnknownArgument[]): ToolFailure {
  const lines = unknown.slice(0, 8).map(({ path, nearest, known }) => {
    const names = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes no arguments.'
    return `${shorten(path, 80)}: ${nearest === undefined ? `no such argument. ${names}` : `did you mean ${nearest}? ${names}`}`
  })
  const [first] = unknown
  const what =
    unknown.length === 1 && first ? `the argument ${shorten(first.path, 80)}` : `${unknown.length} of the arguments`
  return failure('invalid_input', `${tool} does not know ${what}.`, lines.join('\n'))
}

type Flat = { path: PropertyKey[]; message: string }

// A union reports one list of issues per member: the member with the latest issue is assumed to be the intended one.
function flatten(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[] = []): Flat[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path]
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: issue.message }]
    const deep = issue.errors.filter((each) => each.some((inner) => inner.path.length > 0))
    const members = deep.length > 0 ? deep : issue.errors
    if (deep.length > 0) return flatten(members[0] ?? [], path)
    const messages = members.map((each) => each.map((inner) => inner.message).join(', '))
    return [{ path, message: messages.join(', or ') }]
  })
}
