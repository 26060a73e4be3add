import { createModelServer, type ModelScript, type ModelServer, type WireName } from '@copydesk/agent/testing'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { ask, enter, isOpen, openNew, type Person } from './people.ts'
import { test } from './test.ts'

// A page sees of a wire only whether calls grow or come whole; the server's tests play all of them.
const wires: readonly WireName[] = ['anthropic', 'gemini']

const call = (name: string, input: Record<string, unknown>) => ({ name, arguments: input })
const content = '\n\nThis paragraph grows word by word while both of them are watching how it is being written.'
const position = { type: 'relative', anchor: 'the end', placement: 'after' }
const everything = [
  { toolCall: { ...call('insert_text', { position, content }), everyMs: 90 } },
  { toolCall: call('suggest_replacement', { search: 'one thing', replaceWith: 'another thing' }) },
  { toolCall: call('add_comment', { search: 'the price', text: 'Is that all?' }) },
  { toolCall: call('highlight_text', { search: 'look here' }) },
  { toolCall: call('apply_formatting', { target: { type: 'text', value: 'Title' }, format: { type: 'heading' } }) },
]

/** Counts from now on how many different texts the document shows. */
async function countTexts(person: Person): Promise<() => Promise<number>> {
  await person.editor.evaluate((editor) => {
    const seen = new Set<string>()
    new MutationObserver(() => {
      seen.add(editor.textContent)
      editor.setAttribute('data-texts', String(seen.size))
    }).observe(editor, { childList: true, subtree: true, characterData: true })
  })
  return async () => Number(await person.editor.getAttribute('data-texts'))
}

const script: ModelScript = ({ lastUser, results }) => {
  if (lastUser.includes('for ever')) {
    return { chunks: [{ text: 'Once upon a time ' }, { stall: true }] }
  }
  if (lastUser.includes('everything')) return results.length === 0 ? { chunks: everything } : 'All of it is done.'
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

    test('the chat edits for both, and Stop ends a run at once', async ({ browser }) => {
      const ana = await enter(browser, 'Ana', { origin: server.url })
      const ben = await enter(browser, 'Ben', { origin: server.url })
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
      await expect(stop).toHaveCount(0)
      await expect(ben.conversation).toContainText('Stopped')

      // Concurrent agents of two people share one avatar.
      await ask(ana, 'tell a story for ever')
      await ask(ben, 'tell a story for ever')
      await expect(ana.here.getByRole('button', { name: 'Agent ×2' })).toBeVisible()
    })

    test('text grows in both windows, and suggestion, comment, highlight and format are there', async ({ browser }) => {
      const ana = await enter(browser, 'Ana', { origin: server.url })
      const ben = await enter(browser, 'Ben', { origin: server.url })
      const path = await openNew(ana, 'Title\n\none thing and the price, look here\n\nthe end')
      await ben.page.goto(path)
      await isOpen(ben)
      const texts = await countTexts(ben)
      await ask(ana, 'do everything')
      for (const person of [ana, ben]) {
        await expect(person.conversation).toContainText('All of it is done.')
        await expect(person.editor).toContainText('while both of them are watching how it is being written.')
        await expect(person.editor.locator('del[data-change]')).toContainText('one')
        await expect(person.editor.locator('ins[data-change]')).toContainText('another')
        await expect(person.editor.locator('[data-thread]')).toHaveText('the price')
        await expect(person.editor.getByRole('heading', { name: 'Title' })).toBeVisible()
        await expect(person.editor.locator('.agent-highlight').first()).toContainText('look here')
      }
      // Gemini sends its calls whole: there is nothing to watch. A busy browser draws several words at once.
      if (wire !== 'gemini') expect(await texts()).toBeGreaterThan(4)
    })
  })
}
