import {
  type ComponentType,
  createElement,
  lazy,
  type LazyExoticComponent,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { firstScreen } from './first-screen.ts'
import { createStore } from './store.ts'

/** The number of parts that this page couldn't load so far, which the page says. */
export const missingParts = createStore(0)

/**
 * A component that is loaded when it is first rendered. Until then, also while the network is away, the nearest
 * `Suspense` shows its fallback.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadPart(load) }))
}

/** Like `lazyPart`, with its own boundary: it renders nothing until it is loaded. */
export function separatePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazyPart(load)
  return (props) => createElement(Suspense, null, createElement(Part, props))
}

/** Like `separatePart`, for a part of a document's page that is loaded after the first screen. */
export function latePart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return separatePart(() => loadLate(load))
}

/** Loads the code of a part after the first screen. */
export async function loadLate<T>(load: () => Promise<T>): Promise<T> {
  await firstScreen
  return load()
}

/**
 * Loads the code of a part. Never rejects: the page and its unsent text remain without the part, which is requested
 * again until it can be loaded.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  let isMissing = false
  const count = (isNow: boolean) => {
    if (isNow !== isMissing) missingParts.set(missingParts.get() + (isNow ? 1 : -1))
    isMissing = isNow
  }
  for (;;) {
    try {
      const loaded = await loadWhenOnline(load)
      count(false)
      return loaded
    } catch {
      count(true)
    }
  }
}

/** A part whose code can be loaded before it is rendered. */
export type EarlyPart<Props> = {
  /** Loads the code once; retries after a failure. */
  load(): Promise<void>
  /** The part, which loads its code as `lazyPart` does. */
  Part: ComponentType<Props>
}

/**
 * Like `lazyPart`, for a part that the user waits for: `Waiting` is shown until its code is loaded. There is no
 * `Suspense`, since React replaces a fallback at the earliest 300 ms after it has shown the last one.
 */
export function earlyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType,
): EarlyPart<Props> {
  const loaded = createStore<ComponentType<Props> | undefined>(undefined)
  let loading: Promise<void> | undefined
  const loadOnce = () => {
    loading ??= load().then(loaded.set, (cause: unknown) => {
      loading = undefined
      throw cause
    })
    return loading
  }
  function Part(props: Props) {
    const Loaded = useSyncExternalStore(loaded.subscribe, loaded.get, loaded.get)
    const [failure, setFailure] = useState<{ cause: unknown }>()
    useEffect(() => {
      loadWhenOnline(loadOnce).catch((cause: unknown) => setFailure({ cause }))
    }, [])
    if (failure) throw failure.cause
    return Loaded ? createElement(Loaded, props) : createElement(Waiting)
  }
  return { load: loadOnce, Part }
}

// A server that restarts answers again within this time.
const pauses = [1000, 2000, 4000, 8000, 16_000]

const pauseOf = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Loads code once it can be reached, and retries failed requests. A browser that caches the failure of a module until
 * the page is reloaded (Chromium 150 does) must not request the module while the network is away.
 */
export async function loadWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    await untilReachable()
    try {
      return await load()
    } catch {
      await pauseOf(pause)
    }
  }
  await untilReachable()
  return load()
}

/** Resolves when the server can be reached; immediately with a service worker, which has the files or waits itself. */
async function untilReachable(): Promise<void> {
  while (!navigator.onLine && !navigator.serviceWorker?.controller) {
    // A server on the same machine answers without a network.
    if (await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined)) return
    const waiting = new AbortController()
    const online = new Promise((resolve) => addEventListener('online', resolve, { signal: waiting.signal }))
    await Promise.race([online, pauseOf(5000)])
    waiting.abort()
  }
}
