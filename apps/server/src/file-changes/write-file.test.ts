import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { link, rename, symlink, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectRoot } from '../project/project-root.ts'
import { inStyleOf } from './file-text.ts'
import { changeFile, readExact } from './write-file.ts'

let base: string
let directory: string
let root: ProjectRoot

const at = (path: string): string => join(directory, path)
const text = (path: string): string => readFileSync(at(path), 'utf8')

function write(path: string, content: string | Uint8Array = 'old\n', folder = directory): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'copydesk-writing-'))
  directory = join(base, 'project')
  write('src/main.ts')
  write('.gitignore', 'dist/\n')
  for (const path of ['dist/out.js', '.git/config', '.env', 'tls/server.key', 'data/secret', 'folder/a.txt'])
    write(path)
  write('outside.txt', 'old\n', base)
  write('binary.bin', new Uint8Array([111, 0, 108]))
  write('latin.txt', new Uint8Array([0xe4, 0x0a]))
  write('large.txt', 'x'.repeat(1024 * 1024 + 1))
  symlinkSync(join(base, 'outside.txt'), at('out-link'))
  symlinkSync(base, at('up'))
  symlinkSync('src/main.ts', at('inner-link'))
  symlinkSync('.env', at('settings'))
  symlinkSync('nowhere', at('dangling'))
  execFileSync('mkfifo', [at('pipe')])
  root = { directory, hidden: [at('data')] }
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

describe('[PROJ-14] what may not be read may not be written, nor made', () => {
  test.each([
    ['../outside.txt', 'denied'],
    ['../new.txt', 'denied'],
    ['src/../../new.txt', 'denied'],
    ['/tmp/copydesk-new.txt', 'denied'],
    ['C:\\new.txt', 'denied'],
    ['..\\new.txt', 'denied'],
    ['out-link', 'denied'],
    ['up/outside.txt', 'denied'],
    ['up/new.txt', 'denied'],
    ['up/made/new.txt', 'denied'],
    ['settings', 'denied'],
    ['.env', 'denied'],
    ['.ENV.local', 'denied'],
    ['new/.env', 'denied'],
    ['.git/config', 'denied'],
    ['.git/hooks/post-commit', 'denied'],
    ['.g\u200Cit/hooks/new', 'denied'],
    ['src/.git./config', 'denied'],
    ['tls/server.key', 'denied'],
    ['tls/new.pem', 'denied'],
    ['dist/out.js', 'denied'],
    ['dist/new/deep.js', 'denied'],
    ['data/new', 'denied'],
    ['.gitignore', 'denied'],
    ['src/.gitignore', 'denied'],
    ['src/.GITIGNORE', 'denied'],
    ['pipe', 'denied'],
    ['dangling/new.txt', 'unavailable'],
    ['folder', 'invalid_operation'],
    ['src/main.ts/new.txt', 'invalid_operation'],
    ['.', 'invalid_operation'],
    ['a\u202Etxt.exe', 'invalid_input'],
    ['two\nlines', 'invalid_input'],
    ['ends.', 'invalid_input'],
    ['a/'.repeat(40) + 'deep.txt', 'invalid_input'],
    ['n'.repeat(300), 'invalid_input'],
    ['binary.bin', 'too_large'],
    ['latin.txt', 'too_large'],
    ['large.txt', 'too_large'],
  ])('%j is %s', async (path, code) => {
    for (const from of ['old\n', undefined]) {
      const refused = await changeFile(root, path, { from, to: 'new\n' })
      expect(refused).toMatchObject({ ok: false })
      if (code !== 'unavailable') expect(refused).toMatchObject({ code })
    }
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('old\n')
    expect(readdirSync(base).toSorted()).toEqual(['outside.txt', 'project'])
    expect(readdirSync(directory)).not.toContain('nowhere')
  })
})

test('[PROJ-15] a change is written as a whole, under the file’s mode, and leaves no other file', async () => {
  chmodSync(at('src/main.ts'), 0o751)
  expect(await changeFile(root, './src//main.ts', { from: 'old\n', to: 'new\n' })).toEqual({ ok: true })
  expect(text('src/main.ts')).toBe('new\n')
  expect(statSync(at('src/main.ts')).mode & 0o777).toBe(0o751)
  // Through a link inside the project the file is changed, and the link stays one.
  expect(await changeFile(root, 'inner-link', { from: 'new\n', to: 'old\n' })).toEqual({ ok: true })
  expect(text('src/main.ts')).toBe('old\n')
  expect(readdirSync(at('src'))).toEqual(['main.ts'])
  // Another name of the same file, which may be outside, keeps its text.
  await link(at('src/main.ts'), join(base, 'project/other-name'))
  await changeFile(root, 'src/main.ts', { from: 'old\n', to: 'new\n' })
  expect(text('other-name')).toBe('old\n')
  await changeFile(root, 'src/main.ts', { from: 'new\n', to: 'old\n' })
})

test('[PROJ-15] a new file comes with its folders, and never over another', async () => {
  expect(await readExact(root, 'made/deep/new.ts')).toMatchObject({
    ok: true,
    text: undefined,
    path: 'made/deep/new.ts',
  })
  expect(readdirSync(directory)).not.toContain('made')
  expect(await changeFile(root, 'made/deep/new.ts', { from: undefined, to: 'a\n' })).toEqual({ ok: true })
  expect(text('made/deep/new.ts')).toBe('a\n')
  expect(await changeFile(root, 'made/deep/new.ts', { from: undefined, to: 'b\n' })).toMatchObject({ code: 'stale' })
  expect(await changeFile(root, 'made/deep/new.ts', { from: 'a\n', to: undefined })).toEqual({ ok: true })
  expect(readdirSync(at('made/deep'))).toEqual([])
})

test('[PROJ-16] a file with another text is stale, and one that is as wanted stays', async () => {
  write('same.txt', 'mine\n')
  expect(await changeFile(root, 'same.txt', { from: 'old\n', to: 'new\n' })).toMatchObject({ code: 'stale' })
  expect(await changeFile(root, 'same.txt', { from: 'mine', to: undefined })).toMatchObject({ code: 'stale' })
  expect(await changeFile(root, 'gone.txt', { from: 'old\n', to: 'new\n' })).toMatchObject({ code: 'stale' })
  const { ino } = statSync(at('same.txt'))
  expect(await changeFile(root, 'same.txt', { from: 'old\n', to: 'mine\n' })).toEqual({ ok: true })
  expect(statSync(at('same.txt')).ino).toBe(ino)
  expect(text('same.txt')).toBe('mine\n')
})

test('[PROJ-17] line ends and the byte order mark of a file stay', () => {
  expect(inStyleOf('a\r\nb\r\n', 'a\nc\n')).toBe('a\r\nc\r\n')
  expect(inStyleOf('\uFEFFa\n', 'b\n')).toBe('\uFEFFb\n')
  expect(inStyleOf('a\r\nb\n', 'a\nc\n')).toBe('a\nc\n')
  expect(inStyleOf('', 'a\n')).toBe('a\n')
})

test('[PROJ-4] a folder that is exchanged for a link between check and use is written to nowhere else', async () => {
  write('race/file.txt')
  write('target/file.txt', 'old\n', base)
  const [inside, away, aim] = [at('race'), at('race-away'), join(base, 'target')]
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
  for (let round = 0; round < 400; round += 1) {
    await changeFile(root, 'race/file.txt', { from: 'old\n', to: 'new\n' })
    await changeFile(root, 'race/file.txt', { from: 'new\n', to: 'old\n' })
  }
  isOver = true
  await swapping
  expect(readdirSync(aim)).toEqual(['file.txt'])
  expect(readFileSync(join(aim, 'file.txt'), 'utf8')).toBe('old\n')
})
