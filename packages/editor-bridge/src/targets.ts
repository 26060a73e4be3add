import { failure, type ToolFailure, type ToolResult } from '@copydesk/tools'

/**
 * A place in the document: an exact text (in a block, if one is given), a whole block by a number that a result has
 * shown, or what the person has selected. `occurrence` says which, where the text occurs several times.
 */
export type Target = {
  find?: string
  block?: number
  occurrence?: number | 'first' | 'last'
  selection?: true
}

/** A target as the tools name it. */
export function toolTarget({ find, ...place }: Target): Record<string, unknown> {
  return find === undefined ? place : { ...place, search: find }
}

/** The number of a target's block, for tools that need one; `search` executes `search_document`. */
export async function blockOf(
  { find, block, occurrence = 1 }: Target,
  search: (input: { query: string; matchCase: true }) => Promise<ToolResult>,
): Promise<{ ok: true; block: number; occurrence?: number } | ToolFailure> {
  if (block !== undefined) return { ok: true, block }
  if (find === undefined) return failure('invalid_input', 'No place is named.', 'Give find (the exact text) or block.')
  const found = await search({ query: find, matchCase: true })
  if (!found.ok) return found
  const { matches } = found.details as { matches: readonly { block: number }[] }
  const index = occurrence === 'first' ? 0 : occurrence === 'last' ? matches.length - 1 : occurrence - 1
  const match = matches[index]
  if (!match) return failure('not_found', `"${find}" is not in the document.`, 'Look at it with getContentAsText.')
  // The tool counts the occurrences within the block.
  const before = matches.slice(0, index).filter((each) => each.block === match.block)
  return { ok: true, block: match.block, occurrence: before.length + 1 }
}
