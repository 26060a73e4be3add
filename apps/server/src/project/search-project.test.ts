import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { until } from '@copydesk/testing'
import { rgPath } from '@vscode/ripgrep'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProjectFiles, type ProjectFiles } from './project-files.ts'
import { createRipgrep, toRipgrepPattern } from './ripgrep.ts'
import type { SearchEngine } from './search-engine.ts'

let root: string
let viaRipgrep: ProjectFiles
let viaThread: ProjectFiles
let answered = 0

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'copydesk-search-'))
  write('a.ts', '// TODO one\nconst größe = 12\r\nfunction main() {\n  return [1, 2]\n}\n')
  write('b/c.py', 'def main(): # todo\n    pass\n\nwörld = "x"\n')
  write('b/-n.txt', 'TODO: a file whose name looks like an option\n')
  write('b/last.txt', 'no end of line TODO')
  write('b/arabic.txt', '٣٤ 34\nÅngström K\n')
  write('.gitignore', 'hidden.txt\n')
  write('hidden.txt', 'TODO hidden\n')
  write('.env', 'TODO=secret\n')
  write('binary.bin', Buffer.from('TODO before\nand\0after\n'))
  write('large.txt', `TODO ${'x'.repeat(1024 * 1024)}\n`)
  write('many.txt', 'hit\n'.repeat(10_000))
  const ripgrep = createRipgrep(Promise.resolve(rgPath))
  const counted: SearchEngine = async (search, signal) => {
    const found = await ripgrep(search, signal)
    if (found !== undefined) answered++
    return found
  }
  viaRipgrep = createProjectFiles(root, [], counted)
  viaThread = createProjectFiles(root, [], async () => undefined)
})

afterAll(async () => {
  await viaRipgrep.close()
  await viaThread.close()
  rmSync(root, { recursive: true, force: true })
})

async function both(pattern: string, path = '.', holds: (path: string) => boolean = () => true) {
  const search = { pattern, path, holds, most: 50 }
  const [fast, slow] = [await viaRipgrep.search(search), await viaThread.search(search)]
  expect(fast).toEqual(slow)
  return slow.ok ? slow : expect.fail(slow.text)
}

describe('[PROJ-6] ripgrep and the thread find the same lines', () => {
  test.each([
    ['TODO', ['a.ts:1', 'b/-n.txt:1', 'b/last.txt:1']],
    ['(?i)todo', ['a.ts:1', 'b/-n.txt:1', 'b/c.py:1', 'b/last.txt:1']],
    [String.raw`\bmain\(\)`, ['a.ts:3', 'b/c.py:1']],
    [String.raw`^const \w+ = \d+$`, []],
    [String.raw`^\w+ = "x"$`, []],
    [String.raw`= \d+$`, ['a.ts:2']],
    [String.raw`^\d+`, []],
    [String.raw`^[\d٣]`, ['b/arabic.txt:1']],
    [String.raw`\W34$`, ['b/arabic.txt:1']],
    ['gr..e', ['a.ts:2']],
    ['main() {', []],
    [String.raw`\) {$`, ['a.ts:3']],
    [String.raw`\[1, 2\]`, ['a.ts:4']],
    [String.raw`^\s+pass$`, ['b/c.py:2']],
    ['^$', ['b/c.py:3']],
    ['-n|--pre', []],
    [String.raw`\p{Arabic}`, ['b/arabic.txt:1']],
    ['[[:alpha:]]+: a file', ['b/-n.txt:1']],
    [String.raw`\Qmain()\E`, ['a.ts:3', 'b/c.py:1']],
    ['before|after|TODO hidden|secret', []],
  ])('%s', async (pattern, expected) => {
    const { matches } = await both(pattern)
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(expected)
  })

  test('in a folder, in a file, in files that the caller chooses', async () => {
    expect((await both('TODO', 'b')).total).toBe(2)
    expect((await both('TODO', 'a.ts')).total).toBe(1)
    expect((await both('TODO', '.', (path) => path.endsWith('.ts'))).total).toBe(1)
  })

  test('10,000 matches are counted, and 50 are read', async () => {
    const { matches, total, isWhole } = await both('^hit$')
    expect(matches).toHaveLength(50)
    expect({ total, isWhole }).toEqual({ total: 10_000, isWhole: true })
  })

  test('ripgrep answers what means the same to it', () => {
    expect(answered).toBeGreaterThan(15)
    for (const pattern of [String.raw`\p{L}`, '[[:alpha:]]', '[a&&b]', '(?P<a>b)', '[]a]', String.raw`[\W]`, 'a\\']) {
      expect(toRipgrepPattern(pattern), pattern).toBeUndefined()
    }
  })
})

test('[PROJ-7] without ripgrep the thread answers, and a hostile pattern costs linear time', async () => {
  write('evil.txt', `${'a'.repeat(50_000)}\n`)
  const missing = createProjectFiles(root, [], createRipgrep(Promise.resolve('/no/such/program')))
  const found = await missing.search({ pattern: '(a+)+$|(a|aa)+b', path: 'evil.txt', holds: () => true, most: 5 })
  expect(found).toMatchObject({ ok: true, total: 1 })
  await missing.close()
})

test('[PROJ-24] a search of a run that is stopped ends its process, and frees the thread for others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-slow-'))
  const [program, begun] = [join(folder, 'rg'), join(folder, 'begun')]
  writeFileSync(program, `#!/bin/sh\n: > '${begun}'\nexec sleep 3600\n`, { mode: 0o755 })
  const search = { pattern: 'TODO', path: '.', holds: () => true, most: 5 }
  const slow = createProjectFiles(root, [], createRipgrep(Promise.resolve(program)))
  const stopped = new AbortController()
  const asked = slow.forRun(stopped.signal).search(search)
  await until(() => existsSync(begun), 'the process has begun')
  stopped.abort()
  expect(await asked).toMatchObject({ ok: true, total: 0, isWhole: false })
  await slow.close()
  rmSync(folder, { recursive: true })
  expect(await viaThread.forRun(AbortSignal.abort()).search(search)).toMatchObject({ ok: true, total: 0 })
  expect(await viaThread.search(search)).toMatchObject({ ok: true })
})
