import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { ask, clickEndOf, enter, isOpen, openNew } from './people.ts'
import { test } from './test.ts'

const offline = /^Offline — .*kept in this browser/

/** Goes to another page of the app by its own links, which works offline. */
async function leaveAndComeBack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All documents' }).click()
  await page.getByRole('link', { name: 'Shared' }).click()
}

/**
 * Waits until the browser has written what it was given to keep: no browser promises that for a page which closes right
 * after a key.
 */
async function isKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(new Error(`${name} can't be opened`)))
      })
      const stores = [...database.objectStoreNames]
      // A transaction begins when those before it on the same stores are over.
      const written = stores.length === 0 ? undefined : database.transaction(stores, 'readwrite')
      if (written) await new Promise((resolve) => written.addEventListener('complete', resolve))
      database.close()
    }
  })
}

for (const serviceWorkers of ['block', 'allow'] as const) {
  test(`[OFF-4] what is opened for the first time while offline appears when the network is back, service worker: ${serviceWorkers}`, async ({
    browser,
  }) => {
    const options = serviceWorkers === 'allow' ? { serviceWorkers } : { isNew: true }
    const ana = await enter(browser, 'Ana', options)
    await openNew(ana, 'Text')
    const notifications = ana.page.getByRole('button', { name: 'Notifications' })
    await expect(notifications).toBeVisible()
    if (serviceWorkers === 'allow')
      await ana.page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
    await ana.context.setOffline(true)
    await notifications.click()
    await clickEndOf(ana, 'Text')
    await ana.page.keyboard.type(' goes on')
    await expect(ana.editor).toHaveText('Text goes on')
    await ana.context.setOffline(false)
    await expect(ana.page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
    await expect(ana.editor).toHaveText('Text goes on')
  })
}

test('[OFF-4] a part that can’t be loaded right after the first screen is said to be missing', async ({ browser }) => {
  const { page } = await enter(browser, 'Ana', { isNew: true })
  await page.clock.install()
  await page.route(/\/assets\/page-aids-/, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  const notice = page.getByRole('status').filter({ hasText: 'A part of this page couldn’t be loaded.' })
  await expect(notice).toHaveCount(0)
  const isSaid = () =>
    expect(async () => {
      await page.clock.runFor(5000)
      await expect(notice).toBeVisible({ timeout: 100 })
    }).toPass()
  await isSaid()
  expect(await findings(page, 'a missing part')).toEqual([])
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  await page.reload()
  await isSaid()
  await page.unroute(/\/assets\/page-aids-/)
  await notice.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'Documents' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('the server dies while two people type: they continue, reopen the document without it, and everything is merged', async ({
  browser,
}) => {
  const server = await startCopydesk()
  try {
    const ana = await enter(browser, 'Ana', { origin: server.url })
    const ben = await enter(browser, 'Ben', { origin: server.url })
    const path = await openNew(ana, 'Ana writes here\n\nBen writes here')
    // By the list, which keeps it in memory for the way back.
    await ana.page.goto('/')
    await ana.page.getByRole('link', { name: 'Shared' }).click()
    await isOpen(ana)
    await ben.page.goto(path)
    await isOpen(ben)

    await clickEndOf(ana, 'Ana writes here')
    await clickEndOf(ben, 'Ben writes here')
    const words = ' and goes on while the server dies under both'
    const typing = [ana, ben].map(({ page }) => page.keyboard.type(words, { delay: 20 }))
    await expect(ben.editor).toContainText('Ana writes here and goes')
    await server.kill()
    await Promise.all(typing)
    for (const person of [ana, ben]) await expect(person.saved).toHaveText(offline)

    await leaveAndComeBack(ana.page)
    await expect(ana.editor).toContainText(`Ana writes here${words}`)
    await expect(ana.saved).toHaveText(offline)
    await clickEndOf(ana, 'under both')
    await ana.page.keyboard.type(', twice')

    await server.restart()
    for (const person of [ana, ben]) {
      await expect(person.saved).toHaveText(/^Saved/)
      await expect(person.editor).toContainText(`Ana writes here${words}, twice`)
      await expect(person.editor).toContainText(`Ben writes here${words}`)
    }
    // His caret would stand in what is compared.
    await ben.context.close()
    await ana.page.reload()
    await isOpen(ana)
    await expect(ana.editor.locator('p')).toHaveText([`Ana writes here${words}, twice`, `Ben writes here${words}`])
  } finally {
    await server.dispose()
  }
})

test('a page that has seen text that the server has lost waits for its author, and then continues by itself', async ({
  browser,
}) => {
  const server = await startCopydesk()
  const backup = mkdtempSync(join(tmpdir(), 'copydesk-backup-'))
  try {
    const ana = await enter(browser, 'Ana', { origin: server.url })
    const ben = await enter(browser, 'Ben', { origin: server.url })
    // His waiting passes when the test says so.
    await ben.page.clock.install()
    const path = await openNew(ana, 'Shared text')
    await ben.page.goto(path)
    await isOpen(ben)
    await clickEndOf(ana, 'Shared text')
    await ana.page.keyboard.type(' by Ana')
    await expect(ana.saved).toHaveText(/^Saved/)
    await expect(ben.editor).toContainText('by Ana')
    // No user is writing now.
    cpSync(server.dataDir, backup, { recursive: true })

    await ana.page.keyboard.type(' who has left')
    await expect(ben.editor).toContainText('by Ana who has left')
    await isKept(ana.page)
    await ana.page.goto('about:blank')
    await server.kill()
    cpSync(backup, server.dataDir, { recursive: true })
    await server.restart()
    await expect(ben.page.getByRole('alert')).toContainText('another person’s text that the server has lost')
    await expect(ben.saved).toHaveText(/^Not saved/)
    await expect(ben.editor).toContainText('by Ana who has left')

    await ana.page.goto(path)
    await isOpen(ana)
    await expect(ana.editor).toContainText('by Ana who has left')
    await ben.page.clock.fastForward(11_000)
    await expect(ben.saved).toHaveText(/^Saved/)
    await expect(ben.page.getByRole('alert')).toHaveCount(0)
    await clickEndOf(ben, 'Shared text')
    await ben.page.keyboard.type(', and Ben goes on')
    await expect(ana.editor).toContainText('by Ana who has left, and Ben goes on')
  } finally {
    await server.dispose()
    rmSync(backup, { recursive: true })
  }
})

test('what was written offline waits for its author: nobody else in this browser sees or sends it', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const path = await openNew(ana, 'Shared text')
  await ana.context.setOffline(true)
  await expect(ana.saved).toHaveText(offline)
  await clickEndOf(ana, 'Shared text')
  await ana.page.keyboard.type(' with a secret')
  await expect(ana.editor).toHaveText('Shared text with a secret')
  await isKept(ana.page)
  const cookies = await ana.context.cookies()
  // Nothing that could be lost keeps the page from being left.
  await ana.page.close()
  await ana.context.clearCookies()
  await ana.context.setOffline(false)

  const page = await ana.context.newPage()
  await page.goto('/')
  await page.getByLabel('Your name').fill('Somebody else')
  await page.getByRole('button', { name: 'Continue' }).click()
  const editor = page.getByRole('textbox', { name: 'Document' })
  await page.locator(`a[href="${path}"]`).first().click()
  await expect(page.getByRole('banner').getByRole('status')).toHaveText(/^Saved/)
  await expect(editor).toHaveText('Shared text')

  await ana.context.clearCookies()
  await ana.context.addCookies(cookies)
  await page.goto(path)
  await expect(editor).toHaveText('Shared text with a secret')
  await expect(page.getByRole('banner').getByRole('status')).toHaveText(/^Saved/)
})

test('a change that is too large for a frame is sent by HTTP, and what is typed meanwhile with it', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  const ben = await enter(browser, 'Ben')
  await ana.page.routeWebSocket(/\/collab/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (message.length > 20_000) void socket.close({ code: 1009 })
      else server.send(message)
    })
  })
  const brought = ana.page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/updates'))
  const path = await openNew(ana, 'Text')
  await ben.page.goto(path)
  await isOpen(ben)
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.insertText(` ${'large '.repeat(5000)}`)
  await ana.page.keyboard.type('and more')
  await brought
  await expect(ana.saved).toHaveText(/^Saved/)
  await expect(ben.editor).toContainText('large large and more')
  await ana.page.reload()
  await isOpen(ana)
  await expect(ana.editor).toContainText('large large and more')
})

/** A frame that grants the right to write, as it would be without that right. */
function withLessRight(frame: Buffer): Buffer {
  const granted = Buffer.from('\nread-write')
  const at = frame.indexOf(granted)
  if (at < 0) return frame
  return Buffer.concat([frame.subarray(0, at), Buffer.from('\breadonly'), frame.subarray(at + granted.length)])
}

test('a person who has become a viewer keeps what they wrote, sees why it isn’t saved, and can copy it', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana')
  await ana.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  let mayOnlyRead = false
  await ana.page.routeWebSocket(/\/collab/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (message.length > 20_000) void socket.close({ code: 1009 })
      else server.send(message)
    })
    server.onMessage((message) => socket.send(mayOnlyRead ? withLessRight(Buffer.from(message)) : message))
  })
  await ana.page.route('**/updates*', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'You can only read this document.' } } }),
  )
  await openNew(ana, 'Text')
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.insertText(` ${'large '.repeat(5000)}end`)
  const banner = ana.page.getByRole('alert')
  await expect(banner).toContainText('You can only read this document now')
  await expect(ana.editor).toContainText('large end')
  await expect(ana.saved).toHaveText(/^Not saved/)
  await expect(ana.editor).toHaveAttribute('aria-readonly', 'true')
  await banner.getByRole('button', { name: 'Copy the text' }).click()
  await expect(ana.page.getByText('Text copied.')).toBeVisible()
  expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Text large .*large end/)
  await banner.getByRole('button', { name: 'Discard and reload' }).click()
  await expect(ana.saved).toHaveText(/^Saved/)
  await expect(ana.editor).toHaveText('Text')

  // The same by the line: the right has gone while they were offline.
  await ana.context.setOffline(true)
  await expect(ana.saved).toHaveText(offline)
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.type(' offline')
  mayOnlyRead = true
  await ana.context.setOffline(false)
  await expect(banner).toContainText('You can only read this document now')
  await expect(ana.editor).toHaveText('Text offline')
})

test('[OFF-1] [OFF-2] [OFF-3] without the server a page reloads with what the browser keeps, and goes on when it is back', async ({
  browser,
}) => {
  const server = await startCopydesk()
  try {
    const ana = await enter(browser, 'Ana', { origin: server.url, serviceWorkers: 'allow' })
    const { page } = ana
    await openNew(ana, 'Kept text')
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return all.flat().map(({ url }) => new URL(url).pathname)
      })
    await expect.poll(async () => (await kept()).join(' ')).toMatch(/slash-items.*block-menu|block-menu.*slash-items/)
    await isKept(page)
    await server.kill()
    await page.reload()
    await expect(ana.editor).toHaveText('Kept text')
    await expect(ana.saved).toHaveText(offline)
    await clickEndOf(ana, 'Kept text')
    await page.keyboard.type(', and more')
    await isKept(page)
    await page.reload()
    await expect(ana.editor).toHaveText('Kept text, and more')
    await ask(ana, 'outline')
    await expect(page.getByText('The server can’t be reached')).toHaveCount(1)

    await server.restart()
    await expect(ana.saved).toHaveText(/^Saved/)
    await expect(page.getByText('The server can’t be reached')).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Message the agent' })).toHaveValue('outline')
    expect((await kept()).filter((path) => /^\/(api|collab)/.test(path))).toEqual([])
  } finally {
    await server.dispose()
  }
})
