/** An observable value for components and plain DOM code: `useSyncExternalStore(store.subscribe, store.get)`. */
export type Store<T> = {
  get(): T
  set(next: T): void
  subscribe(listener: () => void): () => void
}

/**
 * Creates a store. Setting an equal value (by `isEqual`, default identity) keeps the old one and notifies no listener.
 */
export function createStore<T>(initial: T, isEqual: (a: T, b: T) => boolean = Object.is): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (isEqual(value, next)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Whether two values have the same JSON; for small snapshots that are rebuilt on every event. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
