import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/lib/paths.ts'

/** Those that let others use, change and pass on a program whose own licence is MIT. SPDX names. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
])

test('[DEP-1] everything that is installed, tools included, has a permissive licence', () => {
  const manifests = globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd: root })
  expect(manifests.length).toBeGreaterThan(300)
  const others = manifests.filter((path) => !permissive.has(licenceOf(join(root, path)) ?? ''))
  expect(others).toEqual([])
})

/** Old packages have a list. */
function licenceOf(manifest: string): string | undefined {
  const read: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
  const { license, licenses } = read as { license?: string; licenses?: { type: string }[] }
  return license ?? licenses?.[0]?.type
}
