import { expect, test } from 'vitest'
import { CreateSession } from './people.ts'

test('a name is something that others can see and tell from the agent', () => {
  for (const name of ['Ana', '李雷', 'Ana-María O’Neil', 'نور', '🦊', '  Ben  ']) {
    expect(CreateSession.safeParse({ name }).success, name).toBe(true)
  }
  for (const name of [
    '',
    ' ',
    '\u200B',
    '\u202Eevil',
    'a\u0000b',
    'agent',
    'Agent',
    '@AGENT',
    'ａｇｅｎｔ',
    'x'.repeat(81),
  ]) {
    expect(CreateSession.safeParse({ name }).success, JSON.stringify(name)).toBe(false)
  }
})
