import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open, rename, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProjectFiles, createProjectFiles } from './project-files.ts'
import { readBytes } from './read-project.ts'

let base: string
let root: string
let project: ProjectFiles

function write(path: string, text: string | Uint8Array = 'text\n', at = root): void {
  mkdirSync(dirname(join(at, path)), { recursive: true })
  writeFileSync(join(at, path), text)
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'copydesk-project-'))
  root = join(base, 'project')
  write('package.json', '{ "name": "demo" }\n')
  write('src/main.ts', 'export const a = 1\n')
  write('.gitignore', 'dist/\n*.log\n!keep.log\n')
  write('sub/.gitignore', '/private\n!loud.log\n')
  for (const path of ['dist/out.js', 'noise.log', 'keep.log', 'sub/loud.log', 'sub/private/a.txt']) write(path)
  for (const path of ['.git/config', '.env', '.env.local', 'keys/id_rsa', 'tls/server.key', '.ssh/config']) write(path)
  write('data/secret', 'key of the server')
  write('outside.txt', 'outside', base)
  write('project-other/a.txt', 'outside', base)
  write('binary.bin', new Uint8Array([1, 2, 0, 3]))
  write('large.txt', 'x'.repeat(1024 * 1024 + 1))
  symlinkSync(join(base, 'outside.txt'), join(root, 'out-link'))
  symlinkSync(base, join(root, 'up'))
  symlinkSync('src/main.ts', join(root, 'inner-link'))
  symlinkSync('.env', join(root, 'settings'))
  symlinkSync('loop-b', join(root, 'loop-a'))
  symlinkSync('loop-a', join(root, 'loop-b'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  project = createProjectFiles(root, [join(root, 'data')])
})

afterAll(async () => {
  await project.close()
  rmSync(base, { recursive: true, force: true })
})

describe('[PROJ-1] nothing outside of the project is opened', () => {
  test.each([
    '../outside.txt',
    'src/../../outside.txt',
    'src/../package.json',
    '..',
    '/etc/passwd',
    '..\\outside.txt',
    'src\\..\\..\\outside.txt',
    'C:\\Windows\\win.ini',
    'c:file',
    '\\\\server\\share',
    'out-link',
    'up/outside.txt',
    'up/project/package.json/../../outside.txt',
    'loop-a',
    '../project-other/a.txt',
    'up/project-other/a.txt',
    'package.json\0.txt',
    '/proc/self/environ',
  ])('%j', async (path) => {
    expect(await project.read(path)).toMatchObject({ ok: false, code: 'denied' })
    expect(await project.list(path, true)).toMatchObject({ ok: false, code: 'denied' })
    expect(await project.search({ pattern: '.', path, holds: () => true, most: 5 })).toMatchObject({ code: 'denied' })
  })

  test('a project that is given by a link is the folder behind it', async () => {
    symlinkSync(root, join(base, 'linked'))
    const linked = createProjectFiles(join(base, 'linked'), [])
    expect(await linked.read('package.json')).toMatchObject({ ok: true })
    expect(await linked.read('../outside.txt')).toMatchObject({ code: 'denied' })
    await linked.close()
  })
})

test.each([
  '.git/config',
  '.GIT/config',
  '.g\u200Cit/config',
  '.git./config',
  '．git/config',
  '.git',
  '.env',
  '.ENV',
  '.env.local',
  'settings',
  'keys/id_rsa',
  'tls/server.key',
  '.ssh/config',
  'dist/out.js',
  'noise.log',
  'sub/private/a.txt',
  'data/secret',
  'up/project/.env',
])('[PROJ-2] %j is closed: a repository’s own, secret, ignored, or the server’s data', async (path) => {
  expect(await project.read(path)).toMatchObject({ ok: false, code: 'denied' })
})

test('[PROJ-2] lists leave out what is closed, and follow no links', async () => {
  const listed = await project.list('.', true)
  const paths = listed.ok ? listed.entries.map(({ path, type }) => `${path} ${type}`) : []
  expect(paths.toSorted()).toEqual(
    [
      '.gitignore file',
      'binary.bin file',
      'inner-link link',
      'keep.log file',
      'keys folder',
      'large.txt file',
      'loop-a link',
      'loop-b link',
      'out-link link',
      'package.json file',
      'settings link',
      'src folder',
      'src/main.ts file',
      'sub folder',
      'sub/.gitignore file',
      'sub/loud.log file',
      'tls folder',
      'up link',
    ].toSorted(),
  )
})

test('[PROJ-3] files are read, links inside the project too; what is no text file says why not', async () => {
  expect(await project.read('./src//main.ts')).toEqual({ ok: true, path: 'src/main.ts', text: 'export const a = 1\n' })
  expect(await project.read('inner-link')).toMatchObject({ ok: true, path: 'src/main.ts' })
  expect(await project.read('keep.log')).toMatchObject({ ok: true })
  expect(await project.read('binary.bin')).toMatchObject({ code: 'too_large', message: 'binary.bin is a binary file.' })
  expect(await project.read('large.txt')).toMatchObject({ code: 'too_large' })
  expect(await project.read('none.txt')).toMatchObject({ code: 'not_found' })
  expect(await project.read('package.json/x')).toMatchObject({ code: 'not_found' })
  expect(await project.read('a'.repeat(5000))).toMatchObject({ code: 'not_found' })
  expect(await project.read('src')).toMatchObject({ code: 'invalid_operation' })
  expect(await project.list('package.json', false)).toMatchObject({ code: 'invalid_operation' })
  // The pipe has no writer: opening it would wait forever.
  expect(await project.read('pipe')).toMatchObject({ code: 'denied' })
})

test('[PROJ-3] a file that grows while it is read is read whole, up to the limit', async () => {
  for (const [name, size] of [
    ['main.ts', 0],
    ['../large.txt', 5],
  ] as const) {
    const handle = await open(join(root, 'src', name))
    // The size before the file grew.
    const stats = Object.assign(await handle.stat(), { size })
    const bytes = await readBytes({ ok: true, path: [name], handle, stats })
    expect(bytes?.byteLength).toBe(name === 'main.ts' ? 'export const a = 1\n'.length : undefined)
    await handle.close()
  }
})

test('[PROJ-4] a folder that is exchanged for a link between check and use gives nothing', async () => {
  write('race/file.txt', 'inside')
  write('secret/file.txt', 'outside', base)
  const [inside, away, aim] = [join(root, 'race'), join(root, 'race-away'), join(base, 'secret')]
  let isOver = false
  const swap = async (): Promise<void> => {
    while (!isOver) {
      await rename(inside, away)
      await symlink(aim, inside)
      await unlink(inside)
      await rename(away, inside)
    }
  }
  const swapping = swap()
  const seen = new Set<string>()
  for (let round = 0; round < 1500; round++) {
    const read = await project.read('race/file.txt')
    seen.add(read.ok ? read.text : read.code)
  }
  isOver = true
  await swapping
  expect([...seen]).not.toContain('outside')
  expect(await project.read('race/file.txt')).toMatchObject({ ok: true, text: 'inside' })
})

test('[PROJ-5] a .gitignore with many wildcards costs no more, and excludes rather more', async () => {
  write(`wild/${'a'.repeat(200)}`)
  write('wild/.gitignore', `${'*a'.repeat(40)}b\n`)
  write('wild/other.txt')
  write('spaces/.gitignore', `a${' '.repeat(60_000)}b\n`)
  write('rules/.gitignore', 'a\n'.repeat(3_000))
  const listed = await project.list('wild', true)
  expect(listed.ok && listed.entries.map(({ path }) => path)).toEqual(['wild/.gitignore', 'wild/other.txt'])
  for (const folder of ['spaces', 'rules']) {
    expect(await project.list(folder, true)).toMatchObject({ ok: true, entries: [] })
  }
})

test('[PROJ-1] a project whose folder is gone says so', async () => {
  const gone = createProjectFiles(join(base, 'gone'), [])
  expect(await gone.read('a.txt')).toMatchObject({ ok: false, code: 'unavailable' })
  await gone.close()
})
