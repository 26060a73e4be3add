import { expect, test } from 'vitest'
import type { Caller } from '../../auth/callers.ts'
import { groupsOf, SocketGroups } from './socket-groups.ts'

const rate = { burst: 10, perSecond: 1 }
const plenty = { sockets: 100, bytes: rate, work: rate, unread: 100, held: 100 }

function person(id: string, link?: string): Caller {
  const user = { id, name: id, color: '#112233' }
  return { kind: 'person', user, ...(link === undefined ? {} : { guest: true, link }) }
}

const at = (address: string) => ({ address, distinguishesCallers: true })

const socket = () => ({ unread: 0, heldBytes: 0 })

test('[SOCKET-3] an account has so many sockets and no more, whatever their addresses', () => {
  const groups = new SocketGroups(
    { account: { ...plenty, sockets: 2 }, guestsAtAddress: plenty, guestsByLink: plenty },
    () => 0,
  )
  const join = (who: string, whose: object, address = 'a') =>
    groups.join(whose as ReturnType<typeof socket>, groupsOf(person(who), at(address)))
  const [one, two, three] = [socket(), socket(), socket()]
  const first = join('ana', one)
  expect(first.ok).toBe(true)
  expect(join('ana', two, 'b')).toEqual(first)
  expect(join('ana', one)).toEqual(first)
  expect(join('ana', three)).toEqual({ ok: false, full: 'account' })
  expect(join('ben', three).ok).toBe(true)
  if (first.ok) groups.leave(one, first.groups)
  expect(join('ana', three).ok).toBe(true)
})

test('[SOCKET-9] guests count by address and by link, and who is sent away by one takes nothing of the other', () => {
  const limits = {
    account: plenty,
    guestsAtAddress: { ...plenty, sockets: 2 },
    guestsByLink: { ...plenty, sockets: 3 },
  }
  const groups = new SocketGroups(limits, () => 0)
  const join = (who: string, link: string | undefined, address: string) => {
    const joined = groups.join(socket(), groupsOf(person(who, link), at(address)))
    return joined.ok ? 'ok' : joined.full
  }
  expect([join('g1', 'link', 'a'), join('g2', 'link', 'a')]).toEqual(['ok', 'ok'])
  for (let guest = 0; guest < 20; guest++) expect(join(`more ${guest}`, 'link', 'a')).toBe('guestsAtAddress')
  expect(join('g3', 'link', 'b')).toBe('ok')
  expect(join('g4', 'link', 'b')).toBe('guestsByLink')
  expect(join('g4', 'other link', 'b')).toBe('ok')
  const undeclared = groupsOf(person('g5', 'link'), { address: 'a', distinguishesCallers: false })
  expect(undeclared.map(({ kind }) => kind)).toEqual(['account', 'guestsByLink'])
  for (const address of ['a', 'b']) expect(join('ana', undefined, address)).toBe('ok')
})

test('[SOCKET-9] a run counts for itself, no matter who called it', () => {
  const invokedBy = { id: 'gus', name: 'Gus', color: '#112233' }
  const run: Caller = { kind: 'run', run: 'r', epoch: 1, document: 'd', invokedBy }
  expect(groupsOf(run, at('a'))).toEqual([{ kind: 'account', id: 'r' }])
})
