import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FileSymbols, noSymbols } from './file-symbols.ts'
import { findDefinitions } from './find-symbols.ts'
import type { ParseFiles, Parsed } from './parse-files.ts'
import { SymbolIndex } from './symbol-index.ts'

let directory: string
const names = ['a', 'bad', 'c', 'd']
const long = 60_000

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'copydesk-index-'))
  for (const name of names) writeFileSync(join(directory, `${name}.ts`), '')
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

const symbolsOf = (path: string): FileSymbols => ({
  ...noSymbols,
  definitions: [{ name: path.slice(0, -3), kind: 'class', line: 1 }],
})

/** A thread that finds a class named as the file, and then waits or fails as `before` does. */
function createThread(before: (request: ParseFiles) => Promise<void>) {
  return {
    closed: 0,
    async ask(request: ParseFiles): Promise<Parsed[]> {
      await before(request)
      return request.paths.map((path) => ({ path, is: 'file', stamp: '', symbols: symbolsOf(path) }))
    },
    async close() {
      this.closed += 1
    },
  }
}

function defined(index: SymbolIndex): string[] {
  return names.filter((name) => findDefinitions(index.symbols, name, undefined).length > 0)
}

test('[SYMB-6] a file that makes the thread fail is left without symbols, and the thread is ended each time', async () => {
  const thread = createThread(async ({ paths }) => {
    if (paths.includes('bad.ts')) throw new Error('the parser failed')
  })
  const index = new SymbolIndex(thread)
  const state = await index.refresh({ directory, hidden: [] }, long, () => undefined)
  expect(state).toEqual({ indexed: 4, of: 4, isCurrent: true, isWhole: false })
  expect(defined(index)).toEqual(['a', 'c', 'd'])
  // Once for the batch, and once for the file alone.
  expect(thread.closed).toBe(2)
  await index.close()
})

test('[SYMB-5] a look-up waits for a limited time, and its answer says how much is indexed', async () => {
  let finish = (): void => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const index = new SymbolIndex(createThread(() => finished))
  const seen: number[] = []
  const root = { directory, hidden: [] }
  while (seen.at(-1) !== 4) await index.refresh(root, 600, ({ of }) => seen.push(of))
  expect(index.state()).toEqual({ indexed: 0, of: 4, isCurrent: false, isWhole: true })
  expect(defined(index)).toEqual([])
  finish()
  expect(await index.refresh(root, long, () => undefined)).toMatchObject({ indexed: 4, isCurrent: true })
  expect(defined(index)).toEqual(names)
  await index.close()
})

test('[SYMB-7] symbols over the limit are left out, and all are dropped when nobody asks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const index = new SymbolIndex(
      createThread(async () => undefined),
      450,
    )
    const state = await index.refresh({ directory, hidden: [] }, long, () => undefined)
    expect(state).toEqual({ indexed: 4, of: 4, isCurrent: true, isWhole: false })
    expect(defined(index)).toEqual(['a', 'bad'])
    vi.advanceTimersByTime(15 * 60_000)
    expect(index.state()).toMatchObject({ indexed: 0 })
    await index.close()
  } finally {
    vi.useRealTimers()
  }
})
