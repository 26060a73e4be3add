const idleAfterMs = 3000

/**
 * Registers the service worker that keeps the app for reloads without the server, once the page has loaded. Does
 * nothing in development, and where browsers have no service workers (plain HTTP).
 */
export function keepApp(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => void register().catch(() => undefined), idleAfterMs)
}

// A browser that refuses loses nothing else.
async function register(): Promise<void> {
  await navigator.serviceWorker.register('/service-worker.js')
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ loaded: performance.getEntriesByType('resource').map(({ name }) => name) })
}
