/** The text that this browser stores under a key; null if there is none, or storage is blocked. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Such a text parsed as JSON; null also for invalid JSON. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(readStored(key) ?? 'null')
  } catch {
    return null
  }
}

/**
 * Stores a text in this browser under a key; null deletes it. Has no effect while storage is blocked or full: a choice
 * then lasts as long as the page.
 */
export function writeStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // No effect, as documented.
  }
}
