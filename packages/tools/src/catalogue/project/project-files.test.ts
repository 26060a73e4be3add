import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { executeToolCall } from '../../calls/execute-tool-call.ts'
import { openHeadlessSession } from '../../headless/headless-session.ts'
import { createOffer } from '../../tool/offer-tools.ts'
import { failure } from '../../common/result.ts'
import type { DocumentSession } from '../../session/document-session.ts'
import type { ProjectEntry, ProjectHost, ProjectWriting } from '../../session/host/project-host.ts'
import { documentOf } from '../../testing/test-document.ts'
import { catalogue } from '../index.ts'

const entry = (path: string, type: ProjectEntry['type'] = 'file'): ProjectEntry => ({
  path,
  type,
  size: 1234,
  modified: '2026-11-24T10:00:00.000Z',
})

const nothing = {
  ok: true as const,
  places: [],
  total: 0,
  index: { indexed: 0, of: 0, isCurrent: true, isWhole: true },
}

function sessionWith(
  files: Record<string, string>,
  more: ProjectEntry[] = [],
  writing?: ProjectWriting,
): DocumentSession {
  const project: ProjectHost = {
    async read(path) {
      const text = files[path]
      return text === undefined ? failure('not_found', 'no', 'no') : { ok: true, path, text }
    },
    list: async () => ({
      ok: true,
      entries: [...Object.keys(files).map((path) => entry(path)), ...more],
      isWhole: true,
    }),
    async search({ pattern, holds, most }) {
      const all = Object.entries(files).flatMap(([path, text]) =>
        text.split('\n').map((line, index) => ({ path, line: index + 1, text: line })),
      )
      const matches = all.filter(({ path, text }) => holds(path) && text.includes(pattern))
      return { ok: true, matches: matches.slice(0, most), total: matches.length, isWhole: false }
    },
    symbols: { findDefinition: async () => nothing, findImporters: async () => nothing },
    ...(writing ? { writing } : {}),
  }
  const session = openHeadlessSession({ doc: documentOf('Text'), room: new Y.Doc() })
  return { ...session, host: { ...session.host!, project } }
}

const call = (session: DocumentSession, name: string, input: unknown) => executeToolCall(name, input, session)

test('[PROJ-8] the tools are offered with a project only; without one a call says what an operator sets', async () => {
  const names = (session: DocumentSession) => createOffer(catalogue, session)().map(({ name }) => name)
  const without = openHeadlessSession({ doc: documentOf('Text') })
  for (const [name, input] of [
    ['list_files', { path: '.' }],
    ['find_files', { pattern: '*' }],
    ['search_files', { pattern: 'a' }],
    ['read_file', { path: 'a' }],
    ['find_definition', { symbol: 'a' }],
    ['find_importers', { modulePath: 'a' }],
  ] as const) {
    expect(names(sessionWith({}))).toContain(name)
    expect(names(without)).not.toContain(name)
    const refused = await call(without, name, input)
    expect(refused).toMatchObject({ ok: false, code: 'not_configured' })
    expect(refused.text).toContain('PROJECT_DIR')
  }
})

test('[PROJ-9] read_file numbers lines, 2,000 at most, and says where to go on', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join('\n')
  const session = sessionWith({
    'a.ts': 'one\r\ntwo\n',
    'long.txt': `${lines}\n`,
    'wide.js': 'x'.repeat(9_000),
    empty: '',
  })
  expect((await call(session, 'read_file', { path: 'a.ts' })).text).toBe('a.ts, lines 1 to 2 of 2:\n1: one\n2: two')
  const first = await call(session, 'read_file', { path: 'long.txt' })
  expect(first.text).toMatch(/\n2000: line 2000\n…and 3000 more lines: go on with "from": 2001$/)
  const range = await call(session, 'read_file', { path: 'long.txt', from: 4999, to: 9000 })
  expect(range.text).toBe('long.txt, lines 4999 to 5000 of 5000:\n4999: line 4999\n5000: line 5000')
  expect(await call(session, 'read_file', { path: 'long.txt', from: 5001 })).toMatchObject({ code: 'out_of_range' })
  expect((await call(session, 'read_file', { path: 'wide.js' })).text.length).toBeLessThan(1_100)
  expect((await call(session, 'read_file', { path: 'empty' })).text).toBe('empty is empty.')
})

test('[PROJ-10] list_files pages by 100 with types, sizes and dates; names stay on their line', async () => {
  const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}.ts`, '']))
  const session = sessionWith(files, [entry('src', 'folder'), entry('bad\nname\u202E.txt')])
  const first = await call(session, 'list_files', { path: '.' })
  expect(first.text).toContain('.: 152 entries, page 1 of 2\nf0.ts  1,234 bytes  2026-11-24\n')
  expect(first.text).toMatch(/…and 52 more: go on with "page": 2$/)
  const second = await call(session, 'list_files', { path: '.', page: 2 })
  expect(second.text).toContain('src/  folder  2026-11-24\nbad\\u{a}name\\u{202e}.txt  1,234 bytes')
  expect(await call(session, 'list_files', { path: '.', page: 3 })).toMatchObject({ code: 'out_of_range' })
})

test('[PROJ-11] find_files matches names with * and ?, and paths where the pattern has a slash', async () => {
  const session = sessionWith({ 'src/a.test.ts': '', 'src/deep/ab.ts': '', 'A.TS': '', 'src/a(1).ts': '' })
  const find = async (pattern: string) => {
    const { details } = (await call(session, 'find_files', { pattern })) as { details: { files: { path: string }[] } }
    return details.files.map(({ path }) => path)
  }
  expect(await find('*.test.ts')).toEqual(['src/a.test.ts'])
  expect(await find('a?.ts')).toEqual(['src/deep/ab.ts'])
  expect(await find('a.ts')).toEqual(['A.TS'])
  expect(await find('src/*.ts')).toEqual(['src/a.test.ts', 'src/a(1).ts'])
  expect(await find('src/**/*.ts')).toEqual(['src/a.test.ts', 'src/deep/ab.ts', 'src/a(1).ts'])
  expect(await find('a(1).ts')).toEqual(['src/a(1).ts'])
  expect(await find(`${'*a'.repeat(400)}b`)).toEqual([])
})

test('[PROJ-12] search_files shows 50 lines at most, and how many more there are', async () => {
  const session = sessionWith({ 'a.ts': 'x TODO\n'.repeat(60), 'b.py': 'TODO' })
  const found = await call(session, 'search_files', { pattern: 'TODO' })
  expect(found.text).toContain('61 matches for "TODO":\na.ts:1: x TODO\n')
  expect(found.text).toMatch(/a\.ts:50: x TODO\n…and 11 more: .*\n\(The project is too large/)
  expect((await call(session, 'search_files', { pattern: 'TODO', filePattern: '*.py' })).text).toContain('b.py:1: TODO')
  expect(await call(session, 'search_files', { pattern: '(?=a)' })).toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('pattern: '),
  })
  expect((await call(session, 'search_files', { pattern: 'none' })).text).toContain('No line matches.')
})

test('[PROJ-18] a change of a file is held in every mode, and written once a person has approved it', async () => {
  const done: string[] = []
  const writing: ProjectWriting = {
    async propose(_call, { path, isNew }) {
      if (path === 'gone') return failure('not_found', 'no', 'no')
      done.push(`proposed ${path}${isNew ? ', new' : ''}`)
      return { ok: true, path }
    },
    async write(_call, content) {
      done.push(`wrote ${content}`)
      return content === 'late' ? failure('stale', 'changed', 'read it') : { ok: true, path: 'a.ts' }
    },
  }
  const session = sessionWith({}, [], writing)
  const change = (name: string, path: string, content = 'new', approved = false) =>
    executeToolCall(name, { path, content, description: 'Why.' }, session, { approved })
  expect(await change('edit_file', 'a.ts')).toMatchObject({ code: 'held', message: 'Change a.ts' })
  expect(await change('create_file', 'b\u202E.ts')).toMatchObject({ code: 'held', message: 'Create b\\u{202e}.ts' })
  expect(await change('edit_file', 'gone')).toMatchObject({ code: 'not_found' })
  expect(await change('edit_file', 'a.ts', 'new', true)).toMatchObject({ ok: true, summary: 'Changed a.ts' })
  expect(await change('edit_file', 'a.ts', 'late', true)).toMatchObject({ code: 'stale' })
  expect(done).toEqual(['proposed a.ts', 'proposed b\u202E.ts, new', 'wrote new', 'wrote late'])
  const refused = await executeToolCall('edit_file', { path: 'a', content: 'b', description: 'c' }, sessionWith({}))
  expect(refused).toMatchObject({ code: 'not_configured' })
})
