import { type IndexState, localizable, type ProjectHost } from '@copydesk/tools'
import type { Peer } from './peer.ts'

/** A project for a run whose look-ups show how far the index is while they wait for it. */
export function showIndexProgress(project: ProjectHost, { showActivity }: Pick<Peer, 'showActivity'>): ProjectHost {
  const { findDefinition, findImporters } = project.symbols
  const during =
    (tool: string) =>
    ({ indexed, of }: IndexState): void => {
      if (of > 0) showActivity(localizable`Indexing the project: ${indexed} of ${of} files…`, tool)
    }
  return {
    ...project,
    symbols: {
      findDefinition: (symbol, options) =>
        findDefinition(symbol, { ...options, onProgress: during('find_definition') }),
      findImporters: (path, options) => findImporters(path, { ...options, onProgress: during('find_importers') }),
    },
  }
}
