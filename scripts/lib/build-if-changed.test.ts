import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildIfChanged } from './build-if-changed.ts'
import { root } from './paths.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

test('builds again only what has changed, and what failed', async () => {
  const folder = makeTemporaryFolder('copydesk-build-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [source, output] = [join(folder, 'source'), join(folder, 'output')]
  for (const made of [source, output]) mkdirSync(made)
  const write = (name: string, text: string): void => writeFileSync(join(source, name), text)
  const builds: number[] = []
  const build = (code: number): Promise<number> =>
    buildIfChanged({ output, inputs: [relative(root, source)] }, async () => {
      builds.push(code)
      return code
    })

  write('one.ts', '1')
  expect([await build(0), await build(1)]).toEqual([0, 0])
  write('one.ts', '2')
  expect([await build(3), await build(0), await build(1)]).toEqual([3, 0, 0])
  write('one.test.ts', 'no build reads it')
  expect(await build(1)).toBe(0)
  write('two.ts', '1')
  expect(await build(4)).toBe(4)
  rmSync(join(source, 'two.ts'))
  // Its last build succeeded, but its output may be that of the one that failed.
  expect(await build(0)).toBe(0)
  expect(builds).toEqual([0, 3, 0, 4, 0])
})
