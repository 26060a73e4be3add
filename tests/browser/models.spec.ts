import { createModelServer, type ModelScript, type ModelServer, type WireName } from '@copydesk/agent/testing'
import { expect, test } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { ask, enter, isOpen, openNew } from './people.ts'

const wires: readonly WireName[] = ['anthropic', 'openai', 'gemini']

const script: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('for ever')) {
    return { chunks: [{ text: 'Once upon a time ' }, { stall: true }] }
  }
  if (results.length === 0) {
    return { chunks: [{ toolCall: { name: 'edit_document', arguments: { find: 'teh', replace: 'the' } } }] }
  }
  return { chunks: [{ text: '- teh ' }, { text: '→ the' }], textSize: 2 }
}

for (const wire of wires) {
  test.describe(`with a model that speaks ${wire}`, () => {
    let model: ModelServer
    let server: Copydesk
    test.beforeAll(async () => {
      model = await createModelServer({ provider: wire, script })
      server = await startCopydesk(model.environment)
    })
    test.afterAll(async () => {
      await server.dispose()
      await model.close()
    })

    test('the chat edits for both, and Stop ends a run within a second', async ({ browser }) => {
      const ana = await enter(browser, 'Ana', '/', server.url)
      const ben = await enter(browser, 'Ben', '/', server.url)
      const path = await openNew(ana, 'This is teh end')
      await ben.page.goto(path)
      await isOpen(ben)
      await expect(ana.page.getByText(/No model is configured/)).toHaveCount(0)
      await ask(ana, 'fix the typo')
      for (const person of [ana, ben]) {
        await expect(person.editor).toContainText('This is the end')
        await expect(person.conversation).toContainText('teh → the')
      }

      await ask(ben, 'tell a story for ever')
      await expect(ana.conversation).toContainText('Once upon a time')
      const stop = ana.conversation.getByRole('button', { name: 'Stop' })
      await stop.click()
      await expect(stop).toHaveCount(0, { timeout: 1000 })
      await expect(ben.conversation).toContainText('Stopped')

      // Two people's agents at once share one avatar.
      await ask(ana, 'tell a story for ever')
      await ask(ben, 'tell a story for ever')
      await expect(ana.here.getByRole('button', { name: 'Agent ×2' })).toBeVisible({ timeout: 15_000 })
    })
  })
}
