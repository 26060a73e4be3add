import { describe, expect, test } from 'vitest'
import { readAddress } from './links.ts'
import { formatShortcut } from './shortcuts.ts'

describe('readAddress', () => {
  test('completes what people leave out', () => {
    expect(readAddress(' example.org/a ')).toBe('https://example.org/a')
    expect(readAddress('ana@example.org')).toBe('mailto:ana@example.org')
    expect(readAddress('/d/other')).toBe('/d/other')
    expect(readAddress('http://example.org')).toBe('http://example.org')
  })

  test('refuses protocols that run code', () => {
    expect(readAddress('javascript:alert(1)')).toBeNull()
    expect(readAddress('java\nscript:alert(1)')).toBeNull()
    expect(readAddress('data:text/html,x')).toBeNull()
    expect(readAddress('  ')).toBeNull()
  })
})

describe('formatShortcut', () => {
  test('speaks the platform’s language', () => {
    expect(formatShortcut('Mod-Shift-7', false)).toBe('Ctrl+Shift+7')
    expect(formatShortcut('Mod-Shift-7', true)).toBe('⌘⇧7')
    expect(formatShortcut('Mod-b', false)).toBe('Ctrl+B')
  })
})
