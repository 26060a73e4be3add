import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/**
 * A component that is loaded when it is first rendered. Until then, also while the network is away, the nearest
 * `Suspense` shows its fallback.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadWhenOnline(load) }))
}

// A server that restarts answers again within this time.
const pauses = [1000, 2000, 4000, 8000, 16_000]

/** Loads again what could not be loaded: when the browser is online again, and a few times while it is. */
export async function loadWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    try {
      return await load()
    } catch {
      if (navigator.onLine) await new Promise((resolve) => setTimeout(resolve, pause))
      else await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    }
  }
  return load()
}
