import type { Run, Step } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

let server: Copydesk

beforeAll(async () => {
  server = await startCopydesk()
})

afterAll(() => server.dispose())

test.each([
  ['approve', { decision: 'approve' }, 'the cat', /teh → the/],
  ['approve with other arguments', { decision: 'approve', arguments: { find: 'teh', replace: 'a' } }, 'a cat', /./],
  ['reject', { decision: 'reject', reason: 'It is a name.' }, 'teh cat', /Not changed.*rejected/],
])('[APP-1] the builtin agent in mode ask: %s', async (_, decision, text, answer) => {
  const ana = await signIn(server.url, 'Ana')
  const { id } = await ana.create({ markdown: 'teh cat' })
  const peer = await join(server.url, ana.token, id)
  const asked = { text: 'change teh to the', mode: 'ask' }
  const { run } = (await ana.call<{ run: Run }>('POST', `/api/documents/${id}/messages`, asked)).body
  const shown = (): Run | undefined => peer.runs().find((each) => each.id === run.id)
  const waiting = (): Step | undefined => shown()?.steps.find(({ status }) => status === 'awaiting_approval')
  await until(() => shown()?.status === 'awaiting_approval', 'the run waits')
  const path = `/api/documents/${id}/runs/${run.id}/approvals/${waiting()?.id}`
  await ana.call('POST', path, decision)
  const done = await ended(peer, run.id)
  expect(done.status).toBe('completed')
  expect(done.answer).toMatch(answer)
  expect(blockTexts(peer.fragment)).toEqual([text])
  peer.close()
})
