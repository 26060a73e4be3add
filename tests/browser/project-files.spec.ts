import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createModelServer, type ModelScript, type ModelServer } from '@copydesk/agent/testing'
import { expect } from '@playwright/test'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { findings } from './findings.ts'
import { ask, enter, isOpen, openNew, type Person } from './people.ts'
import { projectPlayer } from './project-player.ts'
import { test } from './test.ts'

const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })
const numbered = (changed: string): string =>
  Array.from({ length: 60 }, (_, at) => `${at === 30 ? changed : `const line${at + 1} = ${at + 1}`}\n`).join('')
const edit = (changed: string) =>
  call('edit_file', { path: 'src.ts', content: numbered(changed), description: `Makes it ${changed}.` })

const script: ModelScript = (request) => {
  const { lastUser, results } = request
  if (!lastUser.includes(' change')) return projectPlayer(request)
  if (results.length === 0) return { chunks: [call('read_file', { path: 'src.ts' })] }
  const last = JSON.stringify(results.at(-1))
  if (lastUser.includes('first')) return results.length === 1 ? { chunks: [edit('first()')] } : 'The first is in.'
  if (results.length === 1) return { chunks: [edit('second()')] }
  if (last.includes('User rejected changes')) {
    return { chunks: [{ text: 'Shorter, then.' }, edit(last.includes('Too long') ? 'third()' : 'unheard()')] }
  }
  return 'The third is in.'
}

let project: string
let model: ModelServer
let server: Copydesk

test.beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'copydesk-project-'))
  writeFileSync(join(project, 'src.ts'), numbered('old()'))
  copyRepository(project)
  writeFileSync(join(project, 'long.txt'), Array.from({ length: 5_000 }, (_, at) => `row ${at + 1}\n`).join(''))
  writeFileSync(join(project, 'hits.txt'), 'zyzzyva\n'.repeat(10_000))
  writeFileSync(join(project, 'notes.ts'), '// TODO: sort the list\n\n// TODO: say why\n')
  model = await createModelServer({ provider: 'openai', script })
  server = await startCopydesk({ ...model.environment, PROJECT_DIR: project })
})
test.afterAll(async () => {
  await server.dispose()
  await model.close()
  rmSync(project, { recursive: true, force: true })
})

/** A part of this repository, in which files may be changed. */
function copyRepository(to: string): void {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  for (const path of ['package.json', 'packages/tools/src', 'packages/schema/src/names.ts']) {
    cpSync(join(root, path), join(to, path), { recursive: true })
  }
}

const line = (): string | undefined => readFileSync(join(project, 'src.ts'), 'utf8').split('\n')[30]
const cardOf = (person: Person) => person.conversation.getByRole('list', { name: 'Proposed changes' })
const button = (person: Person, name: string) => cardOf(person).getByRole('button', { name, exact: true })

test('[PROJ-18] [PROJ-19] [PROJ-20] [PROJ-21] two people decide on a file: one at a time, edited, rejected, undone', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  const ben = await enter(browser, 'Ben', { origin: server.url })
  const path = await openNew(ana, 'Notes')
  await ben.page.goto(path)
  await isOpen(ben)

  await ask(ana, 'the first change')
  for (const person of [ana, ben]) {
    await expect(cardOf(person)).toContainText('src.ts')
    await expect(cardOf(person)).toContainText('Makes it first().')
    await expect(cardOf(person).locator('ins')).toHaveText('first()')
    await expect(cardOf(person).locator('del')).toHaveText('old()')
    await expect(button(person, '27 unchanged lines')).toBeVisible()
  }
  expect(line()).toBe('old()')

  // Ana's rejection arrives after Ben's approval, which she hasn't seen.
  let deliver = (): void => undefined
  const bensIsStored = new Promise<void>((resolve) => (deliver = resolve))
  await ana.page.route('**/approvals/*', async (route) => {
    await bensIsStored
    await route.continue()
  })
  await button(ana, 'Reject').click()
  await cardOf(ana).getByRole('textbox').fill('No!')
  await button(ana, 'Reject').click()
  const stored = ben.page.waitForResponse((response) => response.url().includes('/approvals/'))
  await button(ben, 'Approve').click()
  expect((await stored).status()).toBe(200)
  deliver()
  await expect(ana.page.getByText('Ben has already approved this call.')).toBeVisible()
  for (const person of [ana, ben]) await expect(person.conversation).toContainText('The first is in.')
  expect(line()).toBe('first()')
  await ana.page.unroute('**/approvals/*')

  await ask(ben, 'the second change')
  await expect(cardOf(ben)).toContainText('Makes it second().')
  await button(ben, 'Reject').click()
  await cardOf(ben).getByRole('textbox').fill('Too long')
  await button(ben, 'Reject').click()
  await expect(cardOf(ana)).toContainText('Makes it third().')

  await button(ana, 'View and edit the whole file').click()
  const dialog = ana.page.getByRole('dialog')
  await expect(dialog.locator('.file-row').filter({ hasText: 'third()' }).locator('del')).toHaveText('first()')
  expect(await findings(ana.page, 'the window of a file', '[role=dialog]')).toEqual([])
  await dialog.getByRole('button', { name: 'Edit' }).click()
  const text = dialog.getByRole('textbox', { name: 'The new text of the file' })
  await expect(text).toHaveValue(numbered('third()'))
  await text.fill(numbered('mine()'))
  await dialog.getByRole('button', { name: 'Show the difference' }).click()
  await expect(dialog.locator('ins')).toHaveText('mine()')
  await ana.page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(button(ana, 'View and edit the whole file')).toBeFocused()
  await expect(cardOf(ana).locator('ins')).toHaveText('mine()')
  await button(ana, 'Approve this text').click()
  for (const person of [ana, ben]) await expect(person.conversation).toContainText('The third is in.')
  expect(line()).toBe('mine()')

  await ben.conversation.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect(ana.conversation.getByRole('button', { name: 'Redo', exact: true })).toBeVisible()
  expect(line()).toBe('first()')
})

test('[PROJ-16] [PROJ-25] what people ask of a project is done from what its files say, and a comment is added as they want it', async ({
  browser,
}) => {
  const ana = await enter(browser, 'Ana', { origin: server.url })
  await openNew(ana, 'Notes')
  const says = async (question: string, answer: string | RegExp) => {
    await ask(ana, question)
    await expect(ana.conversation).toContainText(answer)
  }
  await says('Read package.json and tell me the project name', 'The project is called copydesk.')
  await says(
    'Find where DocumentSession is defined',
    /It is defined in packages\/tools\/src\/session\/document-session\.ts:\d+\./,
  )
  await says('What files use packages/tools/src/common/limits.ts?', /\d+ files use it, such as packages\/tools\/src\//)
  await says('Find all TODO comments', /notes\.ts:1 sort the list\s*notes\.ts:3 say why/)
  await says('What is the last line of long.txt?', 'Line 5000 is “row 5000”.')
  await says('Search for zyzzyva', /10,?000 lines match; I was shown all but 9,?950\./)

  // The file changes before its card is shown: no approval, but another look.
  const path = 'packages/tools/src/common/limits.ts'
  const text = () => readFileSync(join(project, path), 'utf8')
  const before = text()
  let show = (): void => undefined
  const isChanged = new Promise<void>((resolve) => (show = resolve))
  await ana.page.route('**/files/*', (route) => isChanged.then(() => route.continue()))
  const asked = ana.page.waitForRequest('**/files/*')
  await ask(ana, `Add a comment to the top of ${path} explaining what it does`)
  await asked
  writeFileSync(join(project, path), `${before}\nexport const more = 1\n`)
  show()
  await expect(cardOf(ana)).toContainText('The file has changed since, so this can’t be approved.')
  await expect(button(ana, 'Approve')).toHaveAttribute('aria-disabled', 'true')
  await expect(cardOf(ana).getByRole('group', { name: 'What has changed in the file since' })).toContainText('more = 1')
  await button(ana, 'Reject, and let the agent look again').click()

  // It reads the file again; the shown card says at once that its file has changed. It adapts to the next rejection,
  // and what was approved is written.
  await expect(cardOf(ana).locator('ins').filter({ hasText: 'defaultLimits, limitRanges, more' })).toBeVisible()
  await expect(button(ana, 'Approve')).not.toHaveAttribute('aria-disabled', 'true')
  const told = ana.page.waitForRequest('**/files/*')
  writeFileSync(join(project, path), `${before}\nexport const more = 2\n`)
  await told
  await expect(cardOf(ana)).toContainText('The file has changed since, so this can’t be approved.')
  writeFileSync(join(project, path), `${before}\nexport const more = 1\n`)
  await expect(button(ana, 'Approve')).not.toHaveAttribute('aria-disabled', 'true')
  await button(ana, 'Reject').click()
  await cardOf(ana).getByRole('textbox').fill('In one line')
  await button(ana, 'Reject').click()
  await expect(cardOf(ana).locator('ins').filter({ hasText: '// Holds ToolLimits, ' })).toBeVisible()
  await expect(cardOf(ana).locator('ins')).toHaveCount(1)
  expect(text()).not.toContain('Holds')
  await button(ana, 'Approve').click()
  await expect(ana.conversation).toContainText(`The comment is in ${path}.`)
  expect(text()).toBe(`// Holds ToolLimits, defaultLimits, limitRanges, more.\n${before}\nexport const more = 1\n`)
})
