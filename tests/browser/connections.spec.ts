import { expect } from '@playwright/test'
import { startCopydesk } from '../support/copydesk.ts'
import { clickEndOf, enter, isOpen, openNew, signUp, signUpOperator } from './people.ts'
import { test } from './test.ts'

test('a window that is one too many says so, keeps what is written, and comes back by itself when there is room', async ({
  browser,
}) => {
  const [ana, ben] = [await enter(browser, 'Ana'), await enter(browser, 'Ben')]
  const path = await openNew(ana, 'Shared text')
  let isFull = false
  let isDeaf = false
  let turnedAway = 0
  const lines = new Set<{ close(options: { code: number; reason: string }): Promise<void> }>()
  const tooMany = { code: 4429, reason: 'this account has too many connections' }
  await ben.page.routeWebSocket(/\/collab/, (line) => {
    if (isFull) {
      turnedAway++
      void line.close(tooMany)
      return
    }
    const server = line.connectToServer()
    line.onMessage((message) => {
      if (!isDeaf) server.send(message)
    })
    lines.add(line)
  })
  await ben.page.clock.install()
  await ben.page.goto(path)
  await isOpen(ben)

  isDeaf = true
  await clickEndOf(ben, 'Shared text')
  await ben.page.keyboard.type(' and more')
  await expect(ben.saved).not.toHaveText(/^Saved/)
  isFull = true
  for (const line of lines) await line.close(tooMany)
  const banner = ben.page.getByRole('alert')
  await expect(banner).toContainText('Too many windows of Copydesk are open')
  await clickEndOf(ana, 'Shared text')
  await ana.page.keyboard.type(' of it')
  await expect(ana.saved).toHaveText(/^Saved/)

  await expect(ben.saved).toContainText('Not connected')
  await ben.page.clock.fastForward(31_000)
  await expect.poll(() => turnedAway).toBe(1)
  await expect(banner).toContainText('Too many windows of Copydesk are open')
  isFull = isDeaf = false
  await ben.page.clock.fastForward(31_000)
  await expect(banner).toHaveCount(0)
  await expect(ben.saved).toHaveText(/^Saved/)
  for (const { editor } of [ana, ben]) {
    await expect(editor).toContainText(' and more')
    await expect(editor).toContainText(' of it')
  }
})

test('a changed name is seen by others at once, over the caret too', async ({ browser }) => {
  const server = await startCopydesk({ AUTH: 'accounts' })
  try {
    const ana = await signUpOperator(browser, server)
    const invitation = await ana.page.request.post('/api/auth/invitations', { data: { email: 'ben@example.org' } })
    const ben = await signUp(browser, ((await invitation.json()) as { url: string }).url, 'Ben')
    const path = await openNew(ana, 'Shared text')
    const members = [{ email: 'ben@example.org', role: 'editor' }]
    await ana.page.request.put(`/api/documents/${path.split('/').at(-1)}/members`, { data: { members } })
    await ben.page.goto(path)
    await isOpen(ben)
    await clickEndOf(ben, 'Shared text')
    const label = ana.editor.locator('.peer-label')
    await expect(label).toHaveText('Ben')

    const elsewhere = await ben.context.newPage()
    await elsewhere.goto('/account')
    await elsewhere.getByLabel('Name', { exact: true }).fill('Benedikt Long')
    await elsewhere.getByRole('button', { name: 'Save' }).first().click()
    await expect(label).toHaveText('Benedikt Long')
    await expect(ana.here.getByLabel(/^Benedikt Long/)).toBeVisible()
    await ben.page.bringToFront()
    await ben.page.keyboard.type(' goes on')
    await expect(ana.editor).toContainText('Shared text goes on')
    await expect(label).toHaveText('Benedikt Long')
  } finally {
    await server.dispose()
  }
})
