import type { AccountPerson } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { findAccounts } from './find-accounts.ts'

function account(id: string, name: string, email: string | null): AccountPerson {
  const user = { id, name, color: '#2f5d50' }
  return { user, email, confirmed: true, active: true, operator: false, createdAt: '', lastSeenAt: null }
}

test('[ACC-25] operators find accounts by name and address, their own first, then in the order of their language', () => {
  const people = [
    account('z', 'Zoe', null),
    account('o', 'Özlem', 'ozlem@verwaltung.example.org'),
    account('p', 'Paul', null),
    account('me', 'Zara', 'me@example.org'),
  ]
  const found = (search: string) => findAccounts(people, 'me', search, 'de').map(({ user }) => user.id)
  expect(found('')).toEqual(['me', 'o', 'p', 'z'])
  expect(found(' ÖZ')).toEqual(['o'])
  expect(found('VERWALTUNG')).toEqual(['o'])
  expect(found('nobody')).toEqual([])
})
