import { localizable } from '../common/localizable.ts'
import { z } from 'zod'
import { failure, type ToolFailure } from '../common/result.ts'

const evidentDescriptions = new Set<string>()

/** A field whose name tells a model enough where tokens are counted: only the full schemas describe it. */
export function evident<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  evidentDescriptions.add(description)
  return schema.describe(description)
}

/** The input field that selects one of several occurrences of a text. */
export const occurrence = z
  .union([z.number().int().min(1), z.enum(['first', 'last'])])
  .describe("Which of several places: 1, 2, …, 'first' or 'last'.")

/** The input field that identifies a block by its number in brackets. */
export const blockNumber = z.number().int().min(0).describe('Number of a block, in [ ].')

/** The input field for a block that is the target as a whole unless the call specifies a text in it. */
export const wholeBlock = blockNumber.describe('Number of a block, in [ ]: without find all of it.')

/** The input field for a text to find. */
export const exactText = z.string().describe('Exact text, as it is shown.')

/** The input field that says where a list continues. */
export const continueFrom = z.number().int().min(0).describe('Where to go on, as the last result says.')

/** The input field for a case-sensitive search. */
export const matchCase = z.boolean().describe('Case matters; false by default.')

/** The input field that makes the text to find a regular expression. */
export const isRegex = z.boolean().describe('The text is an RE2 pattern; false by default.')

/** The input field that identifies a comment thread. */
export const threadId = evident(z.string().min(1), 'Id of a thread, or of a comment in it.')

/** The input field that selects the person's selection instead of a text to find. */
export const selected = z.boolean().describe('true: what the person has selected.')

/** The input field for several replacements in one call. */
export const pairs = z
  .array(z.object({ find: z.string().min(1), replace: z.string() }))
  .describe('Several at once; A and B can be swapped.')

const mostPairs = 200

/** Why a call can't have so many pairs; `undefined` if it can. */
export function checkPairs(given: readonly unknown[]): ToolFailure | undefined {
  if (given.length === 0) return failure('invalid_input', 'pairs is empty.', 'pairs: at least one {find, replace}.')
  if (given.length <= mostPairs) return undefined
  return failure('too_large', localizable`pairs has more than ${mostPairs} entries.`, 'Replace them in several calls.')
}

/** The input field that names a section. */
export const sectionNumber = z.number().int().min(0).describe('Number of a section, from 0.')

/** The input field for the last of several blocks. */
export const lastBlock = blockNumber.describe('The last block of several.')

/**
 * Whether brief schemas leave a description out: the name of the field is enough, or it means the same in every tool.
 */
export function isOmittedWhenBrief(description: string): boolean {
  return evidentDescriptions.has(description) || sharedDescriptions.has(description)
}

const sharedDescriptions: ReadonlySet<string> = new Set(
  [
    occurrence,
    selected,
    sectionNumber,
    blockNumber,
    lastBlock,
    wholeBlock,
    exactText,
    continueFrom,
    matchCase,
    isRegex,
  ].map(({ description = '' }) => description),
)
