import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import german from './de.json' with { type: 'json' }
import { invitationLetter, notificationsLetter, resetLetter } from './letters.ts'

const argumentsOf = (text: string): string => (text.match(/\{\w+(?=[,}])/g) ?? []).toSorted().join(' ')

test('[LANG-9] each text of a mail is in each language, with the same values, and none that no mail needs', () => {
  const source = readFileSync(join(import.meta.dirname, 'letters.ts'), 'utf8')
  const texts = Object.entries(german)
  expect(texts.filter(([english, text]) => argumentsOf(english) !== argumentsOf(text))).toEqual([])
  expect(texts.filter(([english]) => !source.includes(english))).toEqual([])
})

test('[LANG-9] a mail to a reader whose language isn’t known is in English', () => {
  const url = 'http://localhost/x'
  const invitation = invitationLetter({ by: 'Ana {x}', url, expiresAt: '2026-11-24T13:00:00.000Z', language: null })
  expect(invitation.subject).toBe('Ana {x} invites you to Copydesk')
  expect(invitation.text).toContain('until November 24, 2026 at 1:00 PM UTC.')
  expect(resetLetter({ name: 'Ben', url, language: null }).text).toContain("If you didn't ask for it, ignore this mail")
  const place = { publicUrl: url, stopUrl: url, noted: [], language: null }
  expect(notificationsLetter({ ...place, more: 1200 }).text).toContain('And 1,200 more: http')
  expect(notificationsLetter({ ...place, more: 1200, language: 'de' }).text).toContain('Und 1.200 weitere: http')
  expect(notificationsLetter({ ...place, more: 1, language: 'de' }).text).toContain('Und eine weitere: http')
})
