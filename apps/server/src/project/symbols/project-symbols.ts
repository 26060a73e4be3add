import type { IndexState, ProjectPlace, ProjectSymbols, ToolFailure } from '@copydesk/tools'
import { createPathGuard, type ProjectRoot } from '../project-root.ts'
import { readProjectFile } from '../read-project.ts'
import { splitLines } from '../search-lines.ts'
import { findDefinitions, findImports, type FoundPlace } from './find-symbols.ts'
import type { SymbolIndex } from './symbol-index.ts'

/** Calls `act` with the project's folder in its current state. */
export type InRoot = <T>(act: (root: ProjectRoot) => Promise<T>) => Promise<T | ToolFailure>

type Found = Awaited<ReturnType<ProjectSymbols['findDefinition']>>

// Long enough for thousands of files; a larger index is completed in the background.
const waitMs = 20_000
// The first lines of a long statement name what it imports.
const mostLines = 12

export function createProjectSymbols(index: SymbolIndex, inRoot: InRoot): ProjectSymbols {
  const lookUp = (
    find: (root: ProjectRoot) => Promise<FoundPlace[] | ToolFailure>,
    most: number,
    onProgress: (state: IndexState) => void = () => undefined,
  ): Promise<Found> =>
    inRoot(async (root) => {
      const state = await index.refresh(root, waitMs, onProgress)
      const places = await find(root)
      if (!Array.isArray(places)) return places
      const shown = await readPlaces(root, places, most)
      return { ok: true, places: shown, total: places.length, index: state }
    })
  return {
    findDefinition: (symbol, { type, most, onProgress }) =>
      lookUp(async () => findDefinitions(index.symbols, symbol, type), most, onProgress),
    findImporters: (modulePath, { most, onProgress }) =>
      lookUp(
        async (root) => (await refusalOf(root, modulePath)) ?? findImports(index.symbols, index.keys, modulePath),
        most,
        onProgress,
      ),
  }
}

/** Refuses a path that is hidden or outside of the project; a name without a file may be a module's. */
async function refusalOf(root: ProjectRoot, modulePath: string): Promise<ToolFailure | undefined> {
  const opened = await createPathGuard(root).open(modulePath, 'file')
  if (opened.ok) await opened.handle.close()
  return !opened.ok && opened.code === 'denied' ? opened : undefined
}

/** The lines of the positions, read through the project's guard. Positions that no longer exist are omitted. */
async function readPlaces(root: ProjectRoot, places: readonly FoundPlace[], most: number): Promise<ProjectPlace[]> {
  const guard = createPathGuard(root)
  const first = places.slice(0, most)
  const texts = new Map<string, string[]>()
  await Promise.all(
    [...new Set(first.map(({ path }) => path))].map(async (path) => {
      const read = await readProjectFile(root, path, guard)
      texts.set(path, read.ok ? splitLines(read.text) : [])
    }),
  )
  return first.flatMap(({ end, shows, ...place }) => {
    const until = Math.min(end, place.line - 1 + mostLines)
    const lines = (texts.get(place.path) ?? []).slice(place.line - 1, until)
    const text = lines.map((line) => line.trim()).join(' ')
    const isThere = lines.length > 0 && (until < end || text.includes(shows))
    return isThere ? [{ ...place, text }] : []
  })
}
