import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue } from '@copydesk/tools'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.ts'

test('the agent package names no tool: tools and prompt are its input', () => {
  const names = new RegExp(`\\b(?:${catalogue.map(({ name }) => name).join('|')})\\b`)
  const files = globSync('packages/agent/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((path) => names.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})
