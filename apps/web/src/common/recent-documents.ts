const keptAtMost = 20

type Memory = Pick<Storage, 'getItem' | 'setItem'>

/** The ids of the documents that a user has opened in this browser, the last one first. */
export function recentDocuments(user: string, memory: () => Memory = ownStorage): string[] {
  try {
    const kept: unknown = JSON.parse(memory().getItem(keyOf(user)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function noteOpened(user: string, document: string, memory: () => Memory = ownStorage): void {
  const others = recentDocuments(user, memory).filter((id) => id !== document)
  try {
    memory().setItem(keyOf(user), JSON.stringify([document, ...others].slice(0, keptAtMost)))
  } catch {
    // Storage is blocked or full: the palette shows the most recently changed documents.
  }
}

// Merely reading `localStorage` throws where storage is blocked.
function ownStorage(): Memory {
  return localStorage
}

function keyOf(user: string): string {
  return `copydesk recent ${user}`
}
