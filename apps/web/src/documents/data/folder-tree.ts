import type { Folder } from '@copydesk/protocol'

/**
 * The folders by the id of their parent folder, each list in the order of names; the key null has the top-level
 * folders.
 */
export type FolderTree = ReadonlyMap<string | null, readonly Folder[]>

const byName = new Intl.Collator(undefined, { numeric: true })

/**
 * The tree of a flat list of folders. A folder whose parent isn't in the list, for example because it isn't shared with
 * the user, is a top-level folder.
 */
export function treeOf(folders: readonly Folder[]): FolderTree {
  const known = new Set(folders.map(({ id }) => id))
  const tree = new Map<string | null, Folder[]>()
  for (const folder of folders.toSorted((a, b) => byName.compare(a.name, b.name))) {
    const parent = folder.parent !== null && known.has(folder.parent) ? folder.parent : null
    const siblings = tree.get(parent)
    if (siblings) siblings.push(folder)
    else tree.set(parent, [folder])
  }
  return tree
}

/** The path of a folder: its ancestors, the outermost first, and itself; empty if it isn't in the list. */
export function pathTo(folders: readonly Folder[], id: string | null): Folder[] {
  const path: Folder[] = []
  let next = id
  while (next !== null) {
    const folder = folders.find((each) => each.id === next)
    // The server has no cycles, but a list that was read while folders moved may have one.
    if (!folder || path.includes(folder)) break
    path.unshift(folder)
    next = folder.parent
  }
  return path
}

/** Whether `inner` is the folder `outer` or one of its descendants. */
export function isWithin(folders: readonly Folder[], inner: string | null, outer: string): boolean {
  return pathTo(folders, inner).some(({ id }) => id === outer)
}
