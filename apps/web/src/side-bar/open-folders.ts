import { createStore } from '../common/store.ts'

const storageKey = 'copydesk folders'

/** The ids of the folders that are open in the tree, kept in this browser. */
export const openFolders = createStore<ReadonlySet<string>>(recall())

/** Opens or closes folders in the tree. */
export function setOpen(ids: readonly string[], isOpen: boolean): void {
  const next = new Set(openFolders.get())
  for (const id of ids) {
    if (isOpen) next.add(id)
    else next.delete(id)
  }
  if (next.size === openFolders.get().size) return
  openFolders.set(next)
  try {
    localStorage.setItem(storageKey, JSON.stringify([...next]))
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

function recall(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}
