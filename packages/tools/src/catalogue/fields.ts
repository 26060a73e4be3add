import { z } from 'zod'
import { failure, type ToolFailure } from '../result.ts'

/** The input field that selects one of several occurrences of a text. */
export const occurrence = z
  .union([z.number().int().min(1), z.enum(['first', 'last'])])
  .describe("Which of several places: 1, 2, …, 'first' or 'last'.")

/** The input field that identifies a block by its number in brackets. */
export const blockNumber = z.number().int().min(0)

/** The input field that selects the person's selection instead of a text to find. */
export const selected = z.boolean().describe('true: what the person has selected.')

/** The input field for several replacements in one call. */
export const pairs = z
  .array(z.object({ find: z.string().min(1), replace: z.string() }))
  .describe('Several at once, found in the text as it is now: A and B can be swapped.')

const mostPairs = 200

/** Why a call can't have so many pairs; `undefined` if it can. */
export function checkPairs(given: readonly unknown[]): ToolFailure | undefined {
  if (given.length === 0) return failure('invalid_input', 'pairs is empty.', 'pairs: at least one {find, replace}.')
  if (given.length <= mostPairs) return undefined
  return failure('too_large', `pairs has more than ${mostPairs} entries.`, 'Replace them in several calls.')
}

/** The input field that names a section. */
export const sectionNumber = z.number().int().min(0).describe('From 0.')

/** The input field for the last of several blocks. */
export const lastBlock = blockNumber.describe('The last block of several.')
