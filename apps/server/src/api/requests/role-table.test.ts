import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ErrorBody } from '@copydesk/protocol'
import { allows } from '../../common/access-level.ts'
import { accessOf, type Actor, actors, openRoleScene, type RoleScene } from '../../testing/role-scene.ts'
import { furtherRules, routeRules, type RouteRule } from './role-table.ts'

let scene: RoleScene

beforeAll(async () => {
  scene = await openRoleScene()
})
afterAll(() => scene.dispose())

type Outcome = { status: number; code?: string; isHidden?: boolean }

async function call(route: string, rule: RouteRule, actor: Actor): Promise<Outcome> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(':id', scene.document).replaceAll(/:\w+/g, 'none')
  const headers: Record<string, string> = actor === 'nobody' ? {} : { authorization: `Bearer ${scene.tokens[actor]}` }
  if (rule.body !== undefined) headers['content-type'] = 'application/json'
  if (rule.bytes) headers['content-type'] = 'application/octet-stream'
  // An empty update changes nothing.
  const body = rule.bytes
    ? Uint8Array.of(0, 0)
    : rule.body === undefined
      ? undefined
      : JSON.stringify(rule.body).replaceAll('<actor>', actor)
  const stop = new AbortController()
  const response = await fetch(scene.server.url + path, {
    method,
    headers,
    signal: stop.signal,
    ...(body === undefined ? {} : { body }),
  })
  try {
    // A stream does not end by itself.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return { status: response.status }
    const text = await response.text()
    if (response.ok) return { status: response.status }
    const { error } = JSON.parse(text) as ErrorBody
    return { status: response.status, code: error.code, isHidden: error.message.includes('not shared with you') }
  } finally {
    stop.abort()
  }
}

/** The expected status of a refusal; undefined where the actor is allowed. */
function refusal({ needs, scope }: RouteRule, actor: Actor, editorsShare = true): Outcome | undefined {
  if (needs === 'anybody') return undefined
  if (actor === 'nobody') return { status: 401, code: 'unauthenticated', isHidden: false }
  const forbidden = { status: 403, code: 'forbidden', isHidden: false }
  if (actor === 'key' && scope !== undefined && !allows('read', scope)) return forbidden
  if (needs === 'caller') return undefined
  if (needs === 'account') return actor === 'guest' ? forbidden : undefined
  if (needs === 'signed-in') return actor === 'guest' || actor === 'key' ? forbidden : undefined
  if (needs === 'operator') return actor === 'operator' ? undefined : forbidden
  const access = accessOf[actor]
  if (access === undefined) return { status: 404, code: 'not_found', isHidden: true }
  const least = needs !== 'share' ? needs : editorsShare ? 'write' : 'manage'
  return allows(access, least) ? undefined : forbidden
}

test('[RIGHT-2] every route is in the table, and the table has no route that is gone', () => {
  expect([...scene.server.routes].toSorted()).toEqual(Object.keys(routeRules).toSorted())
})

const rules = [...Object.entries(routeRules).map(([route, rule]) => ({ route, ...rule })), ...furtherRules]

/** Calls these routes as every actor; returns the results that differ from the table. */
async function tryAll(tried: readonly (RouteRule & { route: string })[], editorsShare: boolean) {
  const wrong: string[] = []
  let allowed = 0
  let refused = 0
  for (const rule of tried) {
    for (const actor of actors) {
      const expected = refusal(rule, actor, editorsShare)
      if (!expected && rule.endsSession) continue
      const outcome = await call(rule.route, rule, actor)
      const isAllowed = outcome.status === rule.answers && outcome.isHidden !== true
      const isRight = expected ? JSON.stringify(outcome) === JSON.stringify(expected) : isAllowed
      const wanted = JSON.stringify(expected ?? rule.answers)
      if (!isRight) wrong.push(`${rule.route} as ${actor}: ${JSON.stringify(outcome)} instead of ${wanted}`)
      if (expected) refused++
      else allowed++
    }
  }
  return { wrong, allowed, refused }
}

test('[RIGHT-2] every route answers everybody as the table says, and refuses everybody else', async () => {
  const { wrong, allowed, refused } = await tryAll(rules, true)
  expect(wrong).toEqual([])
  console.log(`${rules.length} routes × ${actors.length} people: ${allowed} allowed, ${refused} refused`)
})

test('[RIGHT-20] where owners keep sharing to themselves, every route that shares refuses everybody else', async () => {
  const sharing = rules.filter(({ needs }) => needs === 'share')
  expect((await scene.as('owner')('PUT', '/sharing', { editorsShare: false })).status).toBe(200)
  const { wrong, allowed, refused } = await tryAll(sharing, false)
  expect(wrong).toEqual([])
  expect([sharing.length, allowed, refused]).toEqual([2, 2, 20])
})
