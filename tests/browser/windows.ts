import { type Browser, type BrowserContext, type CDPSession, type Page, test } from '@playwright/test'

/** A browser window: a context with one page. */
type Window = {
  origin: string
  context: BrowserContext
  page: Page
  tools: CDPSession
  isTaken: boolean
  /** Whether a test has changed it in a way that can't be taken back. */
  isAltered: boolean
}

// A window holds a process with what it has compiled: enough for two people on two servers.
const mostKept = 4

const kept = new WeakMap<Browser, Window[]>()

/** What a window is opened for. */
export type WindowOptions = {
  /** The server that paths are relative to; by default the one of all tests. */
  origin?: string
  /** Opens a window that no test has used, for what is about the first load of scripts and fonts. */
  isNew?: boolean
  serviceWorkers?: 'allow'
}

/**
 * Opens a window without a page yet. It may be one of an earlier test, and then holds nothing of it, except that the
 * scripts of this origin are compiled: its next page costs a third of the processor time.
 */
export async function openWindow(
  browser: Browser,
  { origin = test.info().project.use.baseURL ?? '', isNew = false, serviceWorkers }: WindowOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const windows = kept.get(browser) ?? []
  kept.set(browser, windows)
  const isSpecial = isNew || serviceWorkers !== undefined
  const free = isSpecial ? undefined : windows.findLast((each) => !each.isTaken && each.origin === origin)
  if (free) {
    free.isTaken = true
    return free
  }
  const context = await browser.newContext({ baseURL: origin, ...(serviceWorkers ? { serviceWorkers } : {}) })
  const page = await context.newPage()
  if (isSpecial) return { context, page }
  const tools = await context.newCDPSession(page)
  const window = { origin, context, page, tools, isTaken: true, isAltered: false }
  noteAlterations(window)
  windows.push(window)
  return window
}

/** Closes all windows after a test, except those that a later test may use: these are cleared. */
export async function leaveWindows(browser: Browser, { mayKeep }: { mayKeep: boolean }): Promise<void> {
  const windows = kept.get(browser) ?? []
  const usable = windows.filter(
    ({ isAltered, origin, page }) => mayKeep && !isAltered && !page.isClosed() && hasOnly(page, origin),
  )
  // The most recently used ones are last: they are those of the present server.
  const left = new Set(usable.toSorted((a, b) => Number(a.isTaken) - Number(b.isTaken)).slice(-mostKept))
  const contexts = new Set([...left].map(({ context }) => context))
  await Promise.all([
    ...browser.contexts().flatMap((context) => (contexts.has(context) ? [] : [context.close()])),
    ...[...left].flatMap((window) => (window.isTaken ? [clear(window)] : [])),
  ])
  kept.set(browser, [...left])
}

/** Whether this page shows this origin, or nothing yet: others may have stored something, too. */
function hasOnly(page: Page, origin: string): boolean {
  return [origin, 'null'].includes(new URL(page.url()).origin)
}

/** Methods whose effect on a window, or on what it has loaded, can't be taken back. */
const lasting = [
  'addInitScript',
  'addLocatorHandler',
  'exposeBinding',
  'exposeFunction',
  'newCDPSession',
  'on',
  'once',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setHTTPCredentials',
]

function noteAlterations(window: Window): void {
  const note = (target: object, name: string): void => {
    const method: unknown = Reflect.get(target, name)
    if (typeof method !== 'function') return
    const noting = (...values: unknown[]): unknown => {
      window.isAltered = true
      return Reflect.apply(method, target, values)
    }
    Reflect.set(target, name, noting)
  }
  for (const name of lasting) for (const target of [window.context, window.page]) note(target, name)
  for (const name of ['install', 'setFixedTime', 'setSystemTime']) note(window.context.clock, name)
}

/** Takes back what a test has done to a window, and leaves its page, but not the process with its scripts. */
async function clear(window: Window): Promise<void> {
  const { origin, context, page, tools } = window
  await Promise.all(context.pages().flatMap((other) => (other === page ? [] : [other.close()])))
  await context.setOffline(false)
  const isUsed = page.url() !== 'about:blank'
  // The page goes there by itself: the browser would begin another process.
  await page.evaluate(() => location.replace('about:blank'))
  await page.waitForURL('about:blank')
  if (isUsed) await page.evaluate(() => sessionStorage.clear())
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await tools.send('Page.resetNavigationHistory')
  await Promise.all([context.clearCookies(), context.clearPermissions()])
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' })
  await page.mouse.move(0, 0)
  window.isTaken = false
}
