import { jwtVerify, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createPeople } from './people.ts'
import { createIdentify, SESSION_COOKIE, sessionTokenOf } from './callers.ts'
import { createTokens, type TokenSubject } from './tokens.ts'
import { openTestStore } from '../testing/test-store.ts'

const secret = 'a secret for tests that is long enough'
const key = new TextEncoder().encode(secret)
const person: TokenSubject = { kind: 'person', id: 'ana' }
const run: TokenSubject = { kind: 'run', run: 'r', epoch: 3, document: 'd', invokedBy: 'ana' }

test('[AUTH-1] a token says what it was issued for', async () => {
  const tokens = createTokens(secret)
  for (const subject of [person, run]) expect(await tokens.verify(await tokens.issue(subject))).toEqual(subject)
})

test('[AUTH-2] forged, altered, unsigned and foreign tokens are none', async () => {
  const tokens = createTokens(secret)
  const good = await tokens.issue(person)
  const [head, , signature] = good.split('.')
  const body = Buffer.from(JSON.stringify({ subject: { kind: 'person', id: 'boss' }, exp: 9_999_999_999 })).toString(
    'base64url',
  )
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const other = await createTokens('another secret that is long enough too').issue(person)
  const otherAlgorithm = await new SignJWT({ subject: person }).setProtectedHeader({ alg: 'HS512' }).sign(key)
  const bad = [
    '',
    'x',
    'a.b.c',
    good.slice(0, -2),
    `${head}.${body}.${signature}`,
    `${none}.${body}.`,
    other,
    otherAlgorithm,
  ]
  for (const token of bad) expect(await tokens.verify(token)).toBeUndefined()
})

test('[AUTH-3] a token ends: sessions after a year, runs after two days', async () => {
  const tokens = createTokens(secret)
  for (const [subject, days] of [
    [person, 365],
    [run, 2],
  ] as const) {
    const { payload } = await jwtVerify(await tokens.issue(subject), key)
    expect(payload.exp! - payload.iat!).toBe(days * 24 * 60 * 60)
  }
  const expired = await new SignJWT({ subject: person })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) - 1)
    .sign(key)
  expect(await tokens.verify(expired)).toBeUndefined()
})

test('[AUTH-4] [ACC-12] the token of an unknown person is not valid, nor is that of a run for a closed account', async () => {
  const context = await openTestStore()
  const people = createPeople(context.store, { now: () => 0, createId: () => 'ana' })
  const tokens = createTokens(secret)
  const identify = createIdentify({ tokens, people })
  const token = await tokens.issue(person)
  expect(await identify(token)).toBeUndefined()
  const user = await people.create('Ana')
  expect(await identify(token)).toEqual({ kind: 'person', user })
  expect(await identify(await tokens.issue(run))).toMatchObject({
    kind: 'run',
    epoch: 3,
    invokedBy: user,
  })
  await context.store.db.updateTable('people').set({ deactivated_at: 1 }).where('id', '=', 'ana').execute()
  expect(await identify(await tokens.issue(run))).toBeUndefined()
  await context.dispose()
})

test('[AUTH-5] the session is found among other cookies', () => {
  expect(sessionTokenOf(undefined)).toBeUndefined()
  expect(sessionTokenOf('a=1; b=2')).toBeUndefined()
  expect(sessionTokenOf(`a=1; ${SESSION_COOKIE}=x.y=; b`)).toBe('x.y=')
})
