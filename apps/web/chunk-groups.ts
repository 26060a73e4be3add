import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

type Graph = Rolldown.ChunkingContext
type Group = Rolldown.CodeSplittingGroup
type Info = NonNullable<ReturnType<Graph['getModuleInfo']>>

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

const page = pathOf('index.html')
const documentPage = pathOf('src/document/document-page.tsx')
const openedPage = pathOf('src/document/opened-page.tsx')
// Loaded late by pages without a document, and made of parts of the editor.
const partsOfEditor = new Set([
  documentPage,
  openedPage,
  pathOf('src/document/editor/shortcuts-overview.tsx'),
  pathOf('src/collaboration/offline-store.ts'),
])
// Packages whose index exports more than the page of a document uses: each page loads what it uses of them.
const usedInPart =
  /\/packages\/protocol\/|\/schema\/src\/forwarding\/|\/(?:zod|lucide-react)\/|\/@tanstack\/|\/react-(?:select|menu|popover|dropdown-menu|popper|switch)\//

/**
 * The code of a document's page in 19 files instead of 55: a request costs browser and server some 3 ms of computing,
 * and a browser makes six at a time. What other pages need, too, such as dialogs, is apart from the editor.
 */
export function chunkGroups(): Group[] {
  let sets: { connection: Set<string>; document: Set<string>; others: Set<string> } | undefined
  const statically = ({ importedIds }: Info): readonly string[] => importedIds
  const setsOf = (graph: Graph): NonNullable<typeof sets> =>
    (sets ??= {
      connection: reachable(graph, documentPage, statically),
      document: reachable(graph, openedPage, statically),
      others: reachable(graph, page, ({ importedIds, dynamicallyImportedIds }) =>
        [...importedIds, ...dynamicallyImportedIds].filter((id) => !partsOfEditor.has(id)),
      ),
    })
  const isInDocument = (id: string, graph: Graph): boolean => {
    const { connection, document } = setsOf(graph)
    return connection.has(id) || document.has(id)
  }
  const fileOf = (id: string, graph: Graph): string => {
    const { connection, others } = setsOf(graph)
    if (connection.has(id)) return others.has(id) ? 'shared' : 'connection'
    return others.has(id) ? 'common' : 'editor'
  }
  return [
    // Every page loads the whole shell: one file compresses better than its parts.
    { name: 'shell', tags: ['$initial'] },
    {
      debugName: 'indexed',
      // Small files are merged, but no icon with a library that few users of the icon need.
      name: (id, graph) =>
        isInDocument(id, graph) && usedInPart.test(id) ? (id.includes('/lucide-react/') ? 'icons' : 'indexed') : null,
      includeDependenciesRecursively: false,
      entriesAware: true,
      entriesAwareMergeThreshold: 2500,
    },
    {
      debugName: 'document',
      name: (id, graph) => (isInDocument(id, graph) ? fileOf(id, graph) : null),
      includeDependenciesRecursively: false,
    },
  ]
}

/** A module and all that it imports, directly or not, by the imports that `importsOf` answers. */
function reachable(graph: Graph, root: string, importsOf: (info: Info) => readonly string[]): Set<string> {
  const found = new Set([root])
  // A set visits what is added while it is read.
  for (const id of found) {
    const info = graph.getModuleInfo(id)
    if (info) for (const imported of importsOf(info)) found.add(imported)
  }
  return found
}
