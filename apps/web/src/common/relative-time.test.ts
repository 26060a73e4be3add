import { describe, expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = new Date(2026, 10, 21, 14, 30)
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

describe('relativeTime', () => {
  test('names moments of today', () => {
    expect(relativeTime(at(2026, 10, 21, 14, 30), now)).toBe('just now')
    expect(relativeTime(at(2026, 10, 21, 14, 35), now)).toBe('just now')
    expect(relativeTime(at(2026, 10, 21, 14, 25), now)).toBe('5 minutes ago')
    expect(relativeTime(at(2026, 10, 21, 11, 30), now)).toBe('3 hours ago')
  })

  test('counts days by the calendar, not by 24 hours', () => {
    expect(relativeTime(at(2026, 10, 20, 23, 50), now)).toBe('yesterday')
    expect(relativeTime(at(2026, 10, 18, 9, 0), now)).toBe('3 days ago')
  })

  test('gives the date from a week on', () => {
    expect(relativeTime(at(2026, 10, 2, 9, 0), now)).toBe('Nov 2')
    expect(relativeTime(at(2025, 10, 2, 9, 0), now)).toBe('Nov 2, 2025')
  })

  test('says nothing for what is no time', () => {
    expect(relativeTime('soon', now)).toBe('')
  })
})
