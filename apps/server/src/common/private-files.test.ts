import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestServer } from '../testing/test-server.ts'
import { closeToOthers } from './private-files.ts'
import { openEmbeddedStore } from '../store/store.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'copydesk-private-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const modeOf = (...path: string[]): string => (statSync(join(directory, ...path)).mode & 0o777).toString(8)

function modesBelow(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return paths.map((path) => `${path} ${(statSync(join(folder, path)).mode & 0o777).toString(8)}`)
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('[STORE-9] what a store makes is for the server’s user only, whatever mask its process has', async () => {
  const mask = process.umask(0)
  try {
    const folder = join(directory, 'new', 'data')
    const store = await openEmbeddedStore(folder, () => undefined)
    await store.db.selectFrom('documents').select('id').execute()
    expect(modeOf('new', 'data')).toBe('700')
    const modes = modesBelow(folder)
    expect(modes).toEqual(expect.arrayContaining(['copydesk.sqlite 600', 'copydesk.sqlite-wal 600', 'lock 600']))
    expect(modes.filter((each) => !each.endsWith(' 600'))).toEqual([])
    await store.close()
  } finally {
    process.umask(mask)
  }
})

test('[STORE-9] a server that has stored an image leaves nothing that others may read', async () => {
  const mask = process.umask(0)
  const server = await startTestServer()
  try {
    const ana = await server.signIn('Ana')
    const { id } = await server.create(ana, 'Text')
    const form = new FormData()
    form.set('file', new Blob([png]), 'a.png')
    const headers = { authorization: `Bearer ${ana.token}` }
    const sent = await fetch(`${server.url}/api/documents/${id}/images`, { method: 'POST', headers, body: form })
    expect(sent.status).toBe(201)
    const modes = modesBelow(server.directory)
    expect(modes.some((each) => each.endsWith('.png 600'))).toBe(true)
    expect(modes).toContain('files 700')
    expect(modes.filter((each) => !/ [67]00$/.test(each))).toEqual([])
  } finally {
    process.umask(mask)
    await server.dispose()
  }
})

test('[STORE-10] what an older version has left readable is closed to others at the start', () => {
  for (const name of ['copydesk.sqlite', 'copydesk.sqlite-wal', 'copydesk.sqlite-shm', 'lock', 'secret']) {
    writeFileSync(join(directory, name), '', { mode: 0o644 })
  }
  mkdirSync(join(directory, 'files', 'doc'), { recursive: true })
  writeFileSync(join(directory, 'files', 'doc', 'a.png'), '', { mode: 0o644 })
  chmodSync(directory, 0o755)
  closeToOthers(directory, (error) => expect.fail(String(error)))
  expect(modeOf()).toBe('700')
  expect(modesBelow(directory).toSorted()).toEqual([
    'copydesk.sqlite 600',
    'copydesk.sqlite-shm 600',
    'copydesk.sqlite-wal 600',
    'files 700',
    'files/doc 700',
    'files/doc/a.png 600',
    'lock 600',
    'secret 600',
  ])
})

test('[STORE-10] what isn’t the server’s own stays as it is: other files, their folder, and where links lead', () => {
  const outside = mkdtempSync(join(tmpdir(), 'copydesk-outside-'))
  try {
    writeFileSync(join(outside, 'theirs'), '', { mode: 0o644 })
    mkdirSync(join(directory, 'files'))
    symlinkSync(join(outside, 'theirs'), join(directory, 'files', 'link'))
    writeFileSync(join(directory, 'notes.txt'), '', { mode: 0o644 })
    chmodSync(directory, 0o755)
    closeToOthers(directory, (error) => expect.fail(String(error)))
    expect([modeOf(), modeOf('notes.txt'), modeOf('files')]).toEqual(['755', '644', '700'])
    expect((statSync(join(outside, 'theirs')).mode & 0o777).toString(8)).toBe('644')
  } finally {
    rmSync(outside, { recursive: true })
  }
})

test('[STORE-10] a folder that is not there is none of its business', () => {
  closeToOthers(join(directory, 'missing'), (error) => expect.fail(String(error)))
})
