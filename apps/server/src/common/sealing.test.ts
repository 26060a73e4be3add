import { expect, test } from 'vitest'
import { createSealing } from './sealing.ts'

test('[MODEL-4] a sealed text opens with its secret, purpose and place only, unchanged, and is never the same twice', () => {
  const sealing = createSealing('a secret of this server', 'keys')
  const sealed = sealing.seal('sk-ä-1234', 'row 1')
  expect(sealing.open(sealed, 'row 1')).toBe('sk-ä-1234')
  expect(sealed).not.toContain('1234')
  expect(sealing.seal('sk-ä-1234', 'row 1')).not.toBe(sealed)
  expect(sealing.open(sealed, 'row 2')).toBeUndefined()
  expect(createSealing('another secret', 'keys').open(sealed, 'row 1')).toBeUndefined()
  expect(createSealing('a secret of this server', 'others').open(sealed, 'row 1')).toBeUndefined()
  const changed = sealed.slice(0, 5) + (sealed[5] === 'A' ? 'B' : 'A') + sealed.slice(6)
  for (const broken of [changed, sealed.slice(0, -4), '', 'v1.', 'plain']) {
    expect(sealing.open(broken, 'row 1'), broken).toBeUndefined()
  }
})
