import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectFiles, type ProjectFiles } from '../project-files.ts'

let root: string
let project: ProjectFiles

const write = (path: string, text: string): void => writeFileSync(join(root, path), text)

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'copydesk-hostile-'))
  // The parser fails for this file, which damages its memory.
  write('fails.java', '([{'.repeat(30_000))
  // This file exceeds the time limit.
  write('takes-long.py', '([{'.repeat(30_000))
  write('nested.ts', `x = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`)
  write('classes.cpp', 'class A { x() { '.repeat(5_000))
  write('line.js', `const last = 1;${' a(b);'.repeat(20_000)}`)
  write('many.py', Array.from({ length: 5_000 }, (_, index) => `def many${index}(): pass`).join('\n'))
  write('braces.rs', `use a::${'{b::'.repeat(2_000)}c${'}'.repeat(2_000)};\nfn braces() {}`)
  write('large.ts', `class Large {}\n//${'x'.repeat(513 * 1024)}`)
  write('binary.ts', 'class Binary {}\0')
  write('proto.ts', 'class __proto__ {} function constructor() {} const toString = 1')
  write('package.json', `{ "name": "n", "exports": ${'{".":'.repeat(10_000)}1${'}'.repeat(10_000)} }`)
  mkdirSync(join(root, 'sub'))
  write('sub/package.json', '{ "name": "../../up", "exports": "../../../etc/passwd" }')
  write('good.ts', 'export class Good {}')
  project = createProjectFiles(root, [])
})

afterAll(async () => {
  await project.close()
  rmSync(root, { recursive: true, force: true })
})

test('[SYMB-6] hostile files cost bounded time, and the others are indexed', async () => {
  const define = async (symbol: string): Promise<string[]> => {
    const found = await project.symbols.findDefinition(symbol, { most: 50 })
    return found.ok ? found.places.map(({ path, line }) => `${path}:${line}`) : [found.code]
  }
  let found = await project.symbols.findDefinition('Good', { most: 50 })
  while (found.ok && !found.index.isCurrent) {
    found = await project.symbols.findDefinition('Good', { most: 50 })
  }
  expect(found).toMatchObject({ ok: true, total: 1, places: [{ path: 'good.ts', line: 1 }] })
  expect(found).toMatchObject({ index: { isWhole: false } })
  expect(await define('last')).toEqual(['line.js:1'])
  expect(await define('many0')).toEqual(['many.py:1'])
  // 3,000 definitions of a file.
  expect(await define('many4999')).toEqual([])
  expect(await define('braces')).toEqual(['braces.rs:2'])
  // Over 512 KiB, and binary.
  expect(await define('Large')).toEqual([])
  expect(await define('Binary')).toEqual([])
  expect(await define('__proto__')).toEqual(['proto.ts:1'])
  expect(await define('constructor')).toEqual(['proto.ts:1'])
})
