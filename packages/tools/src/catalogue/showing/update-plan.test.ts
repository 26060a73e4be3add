import { expect, test } from 'vitest'
import { documentOf, fail, markdownOf, sessionOn, succeed } from '../../testing/test-document.ts'

const items = [
  { text: 'Fix the typos', state: 'done' },
  { text: 'Shorten the introduction', state: 'doing' },
]

test('a plan is counted, and changes nothing', async () => {
  const doc = documentOf('Text')
  const result = await succeed(sessionOn(doc), 'update_plan', { items })
  expect(result).toMatchObject({ text: 'Plan: 1 of 2 done.', details: { items } })
  expect(markdownOf(doc)).toBe('Text')
})

test('a plan may come as JSON, and has its limits', async () => {
  const session = sessionOn(documentOf('Text'))
  await succeed(session, 'update_plan', { items: JSON.stringify(items) })
  for (const wrong of [[], [{ text: 'x' }], Array.from({ length: 21 }, () => items[0])]) {
    expect((await fail(session, 'update_plan', { items: wrong })).code).toBe('invalid_input')
  }
})
