import type { SessionMode, ToolErrorCode } from '@copydesk/tools'
import type { Check } from './outcome.ts'
import type { CaseResources } from './resources.ts'
import type { PersonEdit } from './person-edits.ts'

/** The groups of commands, in the order of the report. */
export const groups = [
  'typos',
  'replace',
  'insert',
  'format',
  'sections',
  'rewrite',
  'review',
  'suggest',
  'questions',
  'tables-and-code',
  'languages',
  'ambiguous',
  'impossible',
  'injection',
  'numbers',
  'places',
  'comments',
  'memory',
  'in-place',
  'blocks',
  'mistakes',
  'people',
  'structure',
  'files',
  'web',
  'agents',
  'long',
] as const

export type Group = (typeof groups)[number]

/** A tool call as a script makes it. */
export type PlannedCall = { tool: string; input: Record<string, unknown> }

/** What a scripted model does in one round: it calls one tool or several, or gives its answer, which ends the run. */
export type ScriptMove = PlannedCall | readonly PlannedCall[] | string

/** A round of a script; as a function it sees the texts of all tool results of this run so far. */
export type ScriptStep = ScriptMove | ((results: readonly string[]) => ScriptMove)

/** How a scripted model plays one run, a step a round. It ends with an answer. */
export type Script = readonly ScriptStep[]

/** What the person has selected: a text within one block, or everything from one text to the end of another. */
export type SelectedText = string | { from: string; to: string }

/**
 * Where a person calls the agent, if not in the chat: a mention in the block of this text, or a comment on the text.
 */
export type Place = { kind: 'mention' | 'comment'; text: string }

/**
 * An edit that another person makes during a run, just before the model's call of this number (from 0) is executed; an
 * edit that is left when the run ends is made then. A `late` edit reaches the agent only after that call.
 */
export type ConcurrentEdit = { by: string; call: number; edit: PersonEdit; late?: boolean }

/** One run of a conversation: what the person asks and where, and how a scripted model plays it. */
export type Turn = {
  ask: string
  script: Script
  selection?: SelectedText
  /** A bare caret right after this text. */
  caret?: string
  calledFrom?: Place
  concurrentEdits?: readonly ConcurrentEdit[]
}

/** Something that another person did in review before the person asks: a comment or a suggestion, as a tool call. */
export type ReviewStep = PlannedCall & { by: string }

/**
 * The mistake that the script makes with its first call. `accepted`: the tools take the call as it was meant. Else the
 * call fails with this code and a hint like this one, and the next call, made from the hint, succeeds.
 */
export type Mistake = 'accepted' | { code: ToolErrorCode; hint: RegExp }

/**
 * A command as a person phrases it, with the document it is about and a check of the outcome. `check` says what is
 * wrong, or nothing. Where nothing may change, `wrong` is how a bad model plays it: the check must notice.
 */
export type EvalCase = Turn &
  CaseResources & {
    /** Unique, and begins with the group. */
    id: string
    group: Group
    /** Markdown. */
    document: string
    /** Runs before this one, in the same conversation and document. */
    earlier?: readonly Turn[]
    /** `edit` by default. */
    mode?: SessionMode
    review?: readonly ReviewStep[]
    /** The named agent that is called; the default agent without one. Without `tools` it has all. */
    agent?: { name: string; handle: string; instructions: string; tools?: readonly string[] }
    /** False: the user may not change the document, so no changing tool is offered. */
    canChange?: boolean
    wrong?: Script
    mistake?: Mistake
    check: Check
  }

/** The cases of one file, without their common fields. */
export function inGroup(group: Group, cases: readonly Omit<EvalCase, 'group'>[]): EvalCase[] {
  return cases.map((each) => ({ ...each, id: `${group}/${each.id}`, group }))
}
