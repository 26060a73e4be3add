import { expect, type Page } from '@playwright/test'
import { enter, openNew } from './people.ts'
import { test } from './test.ts'
import { leaveWindows } from './windows.ts'

/** What a script sees of earlier pages of its window. */
function stateOf(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => ({
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    stored: [localStorage.length, sessionStorage.length],
    history: history.length,
    isMarked: 'mark' in globalThis,
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
    width: innerWidth,
    isStill: matchMedia('(prefers-reduced-motion)').matches,
    isOnline: navigator.onLine,
  }))
}

test('a window that is used again holds nothing of the earlier test, and one that was altered is closed', async ({
  browser,
}) => {
  await leaveWindows(browser, { mayKeep: false })
  const ana = await enter(browser, 'Ana')
  const altered = await enter(browser, 'Ben')
  await altered.page.addInitScript(() => Object.assign(globalThis, { isAltered: true }))
  await openNew(ana, 'Text')
  await ana.context.grantPermissions(['clipboard-read'])
  await ana.page.setViewportSize({ width: 500, height: 400 })
  await ana.page.evaluate(async () => {
    localStorage.setItem('a', 'b')
    sessionStorage.setItem('a', 'b')
    await (await caches.open('a')).put('/a', new Response('b'))
    await new Promise((resolve) => indexedDB.open('a').addEventListener('success', resolve))
    Object.assign(globalThis, { mark: 1 })
  })
  const opened = ana.context.waitForEvent('page')
  await ana.page.evaluate(() => void window.open('/readyz'))
  await opened
  await ana.context.setOffline(true)
  await leaveWindows(browser, { mayKeep: true })
  expect(browser.contexts()).toEqual([ana.context])

  const next = await enter(browser, 'Cleo', { path: '/readyz' })
  expect(next.page).toBe(ana.page)
  const fresh = await enter(browser, 'Dan', { path: '/readyz', isNew: true })
  expect(await stateOf(next.page)).toEqual(await stateOf(fresh.page))
  expect((await next.context.cookies()).length).toBe(1)
  expect(next.context.pages()).toEqual([next.page])
  await leaveWindows(browser, { mayKeep: false })
  expect(browser.contexts()).toEqual([])
})
