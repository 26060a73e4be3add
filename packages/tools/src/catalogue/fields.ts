import { z } from 'zod'

/** The input field that selects one of several occurrences of a text. */
export const occurrence = z
  .union([z.number().int().min(1), z.enum(['first', 'last'])])
  .describe("Which place is meant where the text occurs several times: 1, 2, … or 'first' or 'last'.")

/** The input field that identifies a block by its number in brackets. */
export const blockNumber = z.number().int().min(0)

/** The input field that selects the person's selection instead of a text to find. */
export const selected = z
  .boolean()
  .describe('true: what the person has selected ("this"), instead of a text or block to find.')

/** The input field for several replacements in one call. */
export const pairs = z
  .array(z.object({ find: z.string().min(1), replace: z.string() }))
  .min(1)
  .max(200)
  .describe('Instead of find and replace: several, all found in the text as it is now, so that A and B can be swapped.')

/** The input field that names a section. */
export const sectionNumber = z.number().int().min(0).describe('The section, from 0, as get_document shows it.')

/** The input field for the last of several blocks. */
export const lastBlock = blockNumber.describe('The last block, where several are meant.')
