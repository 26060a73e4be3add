import { expect, test } from 'vitest'
import { checkPassword } from './passwords.ts'

const ana = { email: 'ana.miller@example.org', name: 'Ana Miller' }

test('[ACC-6] common passwords, rows of keys, repetitions and one’s own name are refused, whatever is put around them', () => {
  const bad = [
    'password12',
    'P@ssword!!'.replace('@', 'a'),
    '2026Willkommen!',
    '1234567890',
    '12345678901234567890',
    '0987654321',
    'qwertyuiop',
    'asdfghjkl;'.replace(';', ''),
    'abababababab',
    'zzzzzzzzzzzz',
    'ana.miller2026',
    'Ana Miller 1',
    'ana.miller@example.org',
    '!!!!!!!!!!!!',
  ]
  for (const password of bad)
    expect([password, checkPassword(password, ana)?.code]).toEqual([password, 'invalid_input'])
})

test('[ACC-6] words that don’t belong together, random ones and long numbers are taken', () => {
  const good = [
    'copper lantern walnut',
    'fK3#qz!81mVw',
    '8472918374652',
    'Пароль достаточно длинный',
    '雨の日は本を読みたいです',
  ]
  for (const password of good) expect([password, checkPassword(password, ana)]).toEqual([password, undefined])
})
