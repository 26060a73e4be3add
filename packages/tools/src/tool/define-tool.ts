import type { z } from 'zod'
import { renameArguments, unknownArguments } from './input-names.ts'
import { invalidInput, unknownInput } from './invalid-input.ts'
import { readLeniently } from './lenient-input.ts'
import { shorten, type ToolResult } from '../common/result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { ToolCallContext } from '../session/host/session-options.ts'
import { type Localizable } from '../common/localizable.ts'

/**
 * What must be there before a tool can do anything: suggested changes, comment threads, earlier runs that changed the
 * document, a selection of the caller, a table or list, the files of a project, the right to change them, the web, or a
 * service that searches it or images.
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

/** The environment variables with which an operator sets up what tools need. */
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
  /** Whether it only reads, so that callers who may not even comment can be offered it. */
  readonly readsOnly: boolean
  /** Whether its effect can't be a suggestion, so that only callers with write access may be offered it. */
  readonly editorsOnly: boolean
  /** The argument whose text is streamed into the document while the model writes it. */
  readonly streams: string | undefined
  /** Without this the tool can do nothing and isn't offered. */
  readonly needs: Need | undefined
  /** Whether its result is text from outside, which nobody with access to the document has written. */
  readonly isOutside: boolean
  /** What a call does, in a few words for people while it runs; `input` may be incomplete or invalid. */
  activity(input?: unknown): Localizable
  /** `input` as the schema describes it: arguments under their present names, numbers and objects that came as text. */
  normalize(input: unknown): unknown
  /** Validates `input` and runs the tool; invalid input gives an `invalid_input` result. */
  run(input: unknown, session: DocumentSession, call: ToolCallContext): ToolResult | Promise<ToolResult>
}

/** The definition of a tool. The handler never throws for anything that a model can cause. */
export type ToolDefinition<Input extends z.ZodObject> = {
  name: string
  description: string
  input: Input
  changes: boolean
  /** Whether people notice its effect although it doesn't change the document: a comment, a highlight, a scroll. */
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
  // Names first, since the schema of a field says how its text is read; then the names in what came as text.
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
