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
  'MIT-0',
  'MPL-2.0',
  // For fonts.
  'OFL-1.1',
  'Unlicense',
])

// Packages for other platforms, of which none of the same family is installed here, by what their registry page says.
const elsewhere: Record<string, string> = {
  '@emnapi': 'MIT',
  '@napi-rs': 'MIT',
  '@tybys': 'MIT',
  fsevents: 'MIT',
}

/** Names with versions of all packages of the lockfile, for whatever platform. */
function lockedPackages(): { name: string; version: string }[] {
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
  const packages = /^packages:\n([^]*?)^\w/m.exec(lockfile)?.[1] ?? ''
  return [...packages.matchAll(/^ {2}'?((?:@[^/\s]+\/)?[^@\s']+)@([^:\s']+)'?:$/gm)].map(
    ([, name = '', version = '']) => ({ name, version }),
  )
}

/** Licences by name and version of what is installed; that may be more than the lockfile lists, or less. */
function installedLicences(): Map<string, string | undefined> {
  const manifests = globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd: root })
  return new Map(
    manifests.map((path) => {
      const read: unknown = JSON.parse(readFileSync(join(root, path), 'utf8'))
      // Old packages have a list.
      const { name, version, license, licenses } = read as Record<'name' | 'version', string> & {
        license?: string
        licenses?: { type: string }[]
      }
      return [`${name}@${version}`, license ?? licenses?.[0]?.type]
    }),
  )
}

/** Whether a licence, or one of those to choose from in `(A OR B)`, is permissive. */
const isPermissive = (licence = ''): boolean =>
  licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((each) => permissive.has(each))

/** What the builds of one program for several platforms have in common: their scope, or the name's first word. */
const familyOf = (name: string): string => name.split(name.startsWith('@') ? '/' : '-')[0] ?? name

test('[DEP-1] everything in the lockfile, tools and other platforms included, has a permissive licence', () => {
  const locked = lockedPackages()
  expect(locked.length).toBeGreaterThan(300)
  const installed = installedLicences()
  const families = new Map([...installed].map(([id, licence]) => [familyOf(id.replace(/@[^@]+$/, '')), licence]))
  const licenceOf = ({ name, version }: { name: string; version: string }): string | undefined =>
    installed.get(`${name}@${version}`) ?? elsewhere[familyOf(name)] ?? families.get(familyOf(name))
  const others = locked.filter((each) => !isPermissive(licenceOf(each)))
  expect(others).toEqual([])
  // Most of it is installed: otherwise the licences of families would prove little.
  const missing = locked.filter(({ name, version }) => !installed.has(`${name}@${version}`))
  expect(missing.length).toBeLessThan(locked.length / 3)
})
