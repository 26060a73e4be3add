import { describe, expect, test } from 'vitest'
import { readAddress, readImageAddress } from './links.ts'
import { formatShortcut } from '../../common/commands/shortcut-keys.ts'

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

describe('readImageAddress', () => {
  test('takes addresses of the web and paths of this server', () => {
    for (const address of [
      'https://example.org/cat.png',
      'http://localhost:3000/a',
      'http://[::1]/a',
      '/files/a.png',
    ]) {
      expect(readImageAddress(address)).toBe(address)
    }
    expect(readImageAddress(' example.org/cat.png ')).toBe('https://example.org/cat.png')
    expect(readImageAddress('http://192.168.0.7/a.png')).toBe('http://192.168.0.7/a.png')
  })

  test('refuses what can be no image', () => {
    for (const typed of [
      '',
      'cat',
      'a cat',
      'https://cat',
      'https://',
      'ftp://example.org/a',
      'ana@example.org',
      '#a',
    ]) {
      expect(readImageAddress(typed)).toBeNull()
    }
    expect(readImageAddress('//example.org/a.png')).toBeNull()
    expect(readImageAddress('https:example.org')).toBeNull()
  })
})

describe('formatShortcut', () => {
  test('speaks the platform’s language', () => {
    expect(formatShortcut('Mod-Shift-7', false)).toBe('Ctrl+Shift+7')
    expect(formatShortcut('Mod-Shift-7', true)).toBe('⌘⇧7')
    expect(formatShortcut('Mod-b', false)).toBe('Ctrl+B')
  })
})
