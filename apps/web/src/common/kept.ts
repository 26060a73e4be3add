/** The text that this browser keeps under a key; null if there is none, or storage is blocked. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** The same as JSON; null also for other texts. */
export function readKeptJson(key: string): unknown {
  try {
    return JSON.parse(readKept(key) ?? 'null')
  } catch {
    return null
  }
}

/**
 * Keeps a text in this browser under a key, or with null none. While storage is blocked or full it does nothing: a
 * choice lasts as long as the page.
 */
export function keep(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // As promised.
  }
}
