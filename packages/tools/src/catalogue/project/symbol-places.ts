import { counted, inEnglish, localizable } from '../../common/localizable.ts'
import { shorten, success, type ToolResult } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { LookUp, PlacesFound, ProjectPlace } from '../../session/host/project-host.ts'
import { cutText } from '../../text/window.ts'
import { showPath, takeLines } from './project-calls.ts'

/** A look-up in the index of symbols, and the noun for its results; `none` is the hint for an empty result. */
export type SymbolSearch = {
  of: string
  noun: 'definition' | 'import'
  none: string
  find: (options: LookUp) => Promise<PlacesFound>
}

// Longer excerpts of a statement use context without benefit.
const longestText = 300

/** Looks up places and lists them, one per line, with a note while the index is incomplete. */
export async function symbolSearch(session: DocumentSession, search: SymbolSearch): Promise<ToolResult> {
  const found = await search.find({ most: session.limits.fileMatches })
  if (!found.ok) return found
  const { places, total, index } = found
  // The results of a look-up without definitions.
  const noun = places.length > 0 && places.every(({ type }) => type === 'import') ? 'import' : search.noun
  const count = noun === 'import' ? counted(total, 'import') : counted(total, 'definition')
  const summary = localizable`${count} of "${shorten(search.of, 60)}"`
  const shown = takeLines(places.map(describePlace), session.limits.fileCharacters)
  const rest = total - shown.length
  const lines = [
    total === 0 ? search.none : `${inEnglish(summary)}:`,
    ...shown,
    ...(rest > 0 ? [`…and ${rest} more`] : []),
    ...(index.isCurrent ? [] : [`(${progress(index)}: ask again for the rest.)`]),
    ...(index.isWhole ? [] : ['(The project is too large to index all of it: search_files looks in every file.)']),
  ]
  return success(lines.join('\n'), summary, { total, places: places.slice(0, shown.length), index })
}

function progress({ indexed, of }: { indexed: number; of: number }): string {
  return `${indexed.toLocaleString('en')} of ${of.toLocaleString('en')} files indexed`
}

function describePlace({ path, line, type, within, text }: ProjectPlace): string {
  const place = `${showPath(path)}:${line}`
  const kind = within === undefined ? type : `${type} in ${shorten(showPath(within), 100)}`
  return type === 'import' ? `${place}: ${cut(text)}` : `${place} (${kind}): ${cut(text)}`
}

function cut(text: string): string {
  return cutText(text.trim(), longestText)
}
