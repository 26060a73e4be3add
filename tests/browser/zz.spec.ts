import { expect, test } from '@playwright/test'
import { enter, openNew, clickEndOf } from './people.ts'
test('probe', async ({ browser }) => {
  const ana = await enter(browser, 'Ana')
  await openNew(ana, 'Text')
  await clickEndOf(ana, 'Text')
  await ana.page.keyboard.press('Enter')
  await ana.page.keyboard.type('@agent ')
  await ana.editor.getByText('@agent').first().click()
  await ana.page.keyboard.type('abc')
  console.log('1', await ana.editor.innerHTML())
  await ana.page.keyboard.press('End')
  await ana.page.keyboard.type('def')
  console.log('2', await ana.editor.innerText())
})
