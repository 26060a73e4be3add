import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import { openHeadlessSession } from '../../headless/headless-session.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { PlacesFound, ProjectPlace } from '../../session/host/project-host.ts'
import { documentOf } from '../../testing/test-document.ts'

const definition: ProjectPlace = { path: 'a.ts', line: 3, type: 'function', within: 'A', text: '  run() {' }
const imported: ProjectPlace = { path: 'b\u202E.ts', line: 1, type: 'import', text: `import { run } from './a'` }
const whole = { indexed: 2, of: 2, isCurrent: true, isWhole: true }

function sessionFinding(found: PlacesFound, asked: unknown[] = []): DocumentSession {
  const answer = async (...given: unknown[]): Promise<PlacesFound> => {
    asked.push(given)
    return found
  }
  const closed = async (): Promise<never> => Promise.reject(new Error('not asked for'))
  const symbols = { findDefinition: answer, findImporters: answer }
  const session = openHeadlessSession({ doc: documentOf('Text'), room: new Y.Doc() })
  return { ...session, host: { ...session.host!, project: { read: closed, list: closed, search: closed, symbols } } }
}

test('[SYMB-1] find_definition shows path, line, kind and text, and what it looked for', async () => {
  const asked: unknown[] = []
  const session = sessionFinding({ ok: true, places: [definition], total: 1, index: whole }, asked)
  const found = await executeToolCall('find_definition', { symbol: 'A.run', type: 'function' }, session)
  expect(found).toMatchObject({ ok: true, summary: '1 definition of "A.run"', details: { total: 1 } })
  expect(found.text).toBe('1 definition of "A.run":\na.ts:3 (function in A): run() {')
  expect(asked).toEqual([['A.run', { most: 50, type: 'function' }]])
  expect(await executeToolCall('find_definition', { symbol: 'a', type: 'method' }, session)).toMatchObject({
    code: 'invalid_input',
  })
})

test('[SYMB-1] what is imported but not defined is called an import', async () => {
  const session = sessionFinding({ ok: true, places: [imported], total: 1, index: whole })
  const found = await executeToolCall('find_definition', { symbol: 'run' }, session)
  expect(found.text).toBe(`1 import of "run":\nb\\u{202e}.ts:1: import { run } from './a'`)
})

test('[SYMB-2] find_importers lists 50 statements at most, and how many more there are', async () => {
  const places = Array.from({ length: 50 }, () => imported)
  const session = sessionFinding({ ok: true, places, total: 61, index: whole })
  const found = await executeToolCall('find_importers', { modulePath: './a' }, session)
  expect(found.text).toMatch(/^61 imports of ".\/a":\n(?:b.*\n){50}…and 11 more$/)
})

test('[SYMB-5] an answer says how much of the project is indexed', async () => {
  const index = { indexed: 1_200, of: 5_000, isCurrent: false, isWhole: false }
  const session = sessionFinding({ ok: true, places: [], total: 0, index })
  const found = await executeToolCall('find_importers', { modulePath: 'a' }, session)
  expect(found.text).toMatch(/^No source file imports it.*\n\(1,200 of 5,000 files indexed: .*\n\(The project is too/)
})
