import type { z } from 'zod'
import { renameArguments, unknownArguments, type UnknownArgument } from './input-names.ts'
import { readLeniently } from './lenient-input.ts'
import { shorten, type ToolResult, failure, type ToolFailure } from '../common/result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { ToolCallContext } from '../session/host/session-options.ts'
import { type Localizable, localizable } from '../common/localizable.ts'

/**
 * The precondition of a tool: suggested changes, comment threads, earlier runs that changed the document, a selection
 * of the caller, a table or list, the files of a project, the right to change them, the web, or a service that searches
 * it or images.
 */
export type Need =
  | 'changes'
  | 'comments'
  | 'history'
  | 'selection'
  | 'table'
  | 'project'
  | 'project-writing'
  | 'web'
  | 'web-search'
  | 'image-search'

/** The environment variables with which an operator configures the services that tools need. */
export const variablesFor: Readonly<Partial<Record<Need, string>>> = {
  project: 'PROJECT_DIR',
  'project-writing': 'PROJECT_DIR',
  'web-search': 'TAVILY_API_KEY or SEARXNG_URL',
  'image-search': 'UNSPLASH_ACCESS_KEY',
}

/** A tool with its input type erased, as stored in a catalogue. `run` validates the input itself. */
export type Tool = {
  readonly name: string
  /** For the model: the tool's effect and when to use it. */
  readonly description: string
  readonly input: z.ZodObject
  /** Whether the tool can change the document; such a tool is offered only to callers with write access. */
  readonly changes: boolean
  /** Whether it only reads, so that callers without the right to comment may be offered it. */
  readonly readsOnly: boolean
  /** Whether its effect can't be a suggestion, so that only callers with write access may be offered it. */
  readonly editorsOnly: boolean
  /** The argument whose text is streamed into the document while the model writes it. */
  readonly streams: string | undefined
  /** Without this service the tool has no effect and isn't offered. */
  readonly needs: Need | undefined
  /** Whether its result is outside text, not written by people with access to the document. */
  readonly isOutside: boolean
  /** A short description of a call for people while it runs; `input` may be incomplete or invalid. */
  activity(input?: unknown): Localizable
  /** `input` according to the schema: arguments under their current names, numbers and objects parsed from strings. */
  normalize(input: unknown): unknown
  /** Validates `input` and runs the tool; invalid input returns an `invalid_input` result. */
  run(input: unknown, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** The definition of a tool. The handler never throws for errors of a model. */
export type ToolDefinition<Input extends z.ZodObject> = {
  name: string
  description: string
  input: Input
  changes: boolean
  /** Whether people notice its effect although it doesn't change the document: a comment, a highlight, scrolling. */
  isNoticed?: boolean
  editorsOnly?: boolean
  streams?: keyof z.infer<Input> & string
  needs?: Need
  isOutside?: boolean
  activity: Localizable | ((input: Partial<z.infer<Input>>) => Localizable)
  handler(input: z.infer<Input>, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** Creates a tool for the catalogue from its name, description, Zod input and handler. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name, description, input, changes, editorsOnly = false, streams, needs, activity } = definition
  const { isOutside = false, isNoticed = false } = definition
  // Names first, because the schema of a field determines how its text is parsed; then the names in parsed text.
  const normalize = (given: unknown): unknown =>
    renameArguments(input, readLeniently(renameArguments(input, given), input))
  return {
    name,
    description,
    input,
    changes,
    readsOnly: !changes && !isNoticed,
    editorsOnly,
    streams,
    needs,
    isOutside,
    normalize,
    activity(given = {}) {
      if (typeof activity === 'object') return activity
      const parsed = input.safeParse(normalize(given))
      return activity(parsed.success ? parsed.data : {})
    },
    run(given, session, call) {
      const named = normalize(given)
      const unknown = unknownArguments(input, named)
      if (unknown.length > 0) return unknownInput(name, unknown)
      const parsed = input.safeParse(named)
      return parsed.success ? definition.handler(parsed.data, session, call) : invalidInput(name, parsed.error)
    },
  }
}

const shownText = 40

/**
 * An activity with its object, if that is known: `Searching for “fees”…`, `Commenting on …` without one `Commenting…`.
 */
export function activityOn(verb: string, text: string | undefined): Localizable {
  const object = shorten(text ?? '', shownText).trim()
  return object === ''
    ? { key: `${verb.replace(/ (?:for|on|to)$/, '')}…`, values: [] }
    : { key: `${verb} “{0}”…`, values: [object] }
}

/**
 * The `invalid_input` result for arguments that don't fit a tool's schema: its hint names each field and its valid
 * values.
 */
function invalidInput(tool: string, error: z.ZodError): ToolFailure {
  const lines = flatten(error.issues).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  const hint = [...new Set(lines)].slice(0, 8).join('\n')
  return failure('invalid_input', localizable`The arguments of ${tool} don't fit.`, hint)
}

/** The `invalid_input` result for arguments that a tool doesn't know: no argument is silently dropped. */
function unknownInput(tool: string, unknown: readonly UnknownArgument[]): ToolFailure {
  const lines = unknown.slice(0, 8).map(({ path, nearest, known }) => {
    const names = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes no arguments.'
    return `${shorten(path, 80)}: ${nearest === undefined ? `no such argument. ${names}` : `did you mean ${nearest}? ${names}`}`
  })
  const [first] = unknown
  const what =
    unknown.length === 1 && first ? `the argument ${shorten(first.path, 80)}` : `${unknown.length} of the arguments`
  return failure('invalid_input', localizable`${tool} does not know ${what}.`, lines.join('\n'))
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
