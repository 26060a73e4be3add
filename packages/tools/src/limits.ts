/** How much a tool takes or gives at once. Lengths are in UTF-16 units. */
export type ToolLimits = {
  /** What one `read_document` call shows. */
  readCharacters: number
  /** Matches that `search_document`, and places that an `ambiguous` error, list. */
  searchMatches: number
  /** What `get_document_info` shows of the selection. */
  selectionPreview: number
  /** What a changing call takes as text to find, and as new text. */
  findCharacters: number
  insertCharacters: number
  /** What a changing call shows of the blocks that it made or touched. */
  changedCharacters: number
  /** Headings in the outline of the system prompt. */
  outlineHeadings: number
}

/** The limits of `docs/tools.md`; `TOOL_LIMITS` overrides single ones. */
export const defaultLimits: Readonly<ToolLimits> = {
  readCharacters: 8_000,
  searchMatches: 20,
  selectionPreview: 500,
  findCharacters: 20_000,
  insertCharacters: 200_000,
  changedCharacters: 2_000,
  outlineHeadings: 60,
}
