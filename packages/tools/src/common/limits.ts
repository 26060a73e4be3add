/** Limits on the input and output of tools. Lengths are in UTF-16 units. */
export type ToolLimits = {
  /** The output of one `read_document` call. */
  readCharacters: number
  /** The matches that `search_document` lists, and the occurrences that an `ambiguous` error lists. */
  searchMatches: number
  /** The part of the selection that `get_document_info` shows. */
  selectionPreview: number
  /** The text to find, and the new text, of a changing call. */
  findCharacters: number
  insertCharacters: number
  /** The part of the changed blocks that a changing call shows. */
  changedCharacters: number
  /** The maximum length of a document whose whole text the system prompt contains. */
  promptCharacters: number
  /** Headings in the outline of the system prompt. */
  outlineHeadings: number
  /** Lines and characters of one `read_file` call; the number of characters also limits `search_files`. */
  fileLines: number
  fileCharacters: number
  /** Files in one list. */
  fileEntries: number
  /** The matches that `search_files` lists. */
  fileMatches: number
}

/** The limits of `docs/tools.md`; operators override individual ones. */
export const defaultLimits: Readonly<ToolLimits> = {
  readCharacters: 8_000,
  searchMatches: 20,
  selectionPreview: 500,
  findCharacters: 20_000,
  insertCharacters: 200_000,
  changedCharacters: 2_000,
  promptCharacters: 4_000,
  outlineHeadings: 60,
  fileLines: 2_000,
  fileCharacters: 40_000,
  fileEntries: 100,
  fileMatches: 50,
}

/** The range of values that an operator may set; values outside it make tools or models fail. */
export const limitRanges: Readonly<Record<keyof ToolLimits, readonly [min: number, max: number]>> = {
  readCharacters: [500, 100_000],
  searchMatches: [1, 200],
  selectionPreview: [0, 5_000],
  findCharacters: [200, 100_000],
  insertCharacters: [1_000, 1_000_000],
  changedCharacters: [0, 20_000],
  promptCharacters: [0, 100_000],
  outlineHeadings: [0, 60],
  fileLines: [20, 20_000],
  fileCharacters: [1_000, 400_000],
  fileEntries: [10, 1_000],
  fileMatches: [1, 1_000],
}
