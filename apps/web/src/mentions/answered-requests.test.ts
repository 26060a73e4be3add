import type { Run } from '@copydesk/protocol'
import { schema } from '@copydesk/schema'
import { expect, test } from 'vitest'
import { isAnsweredAsAsked } from './answered-requests.ts'

const ana = { id: 'ana', name: 'Ana', kind: 'person' as const }
const at = '2026-11-21T12:00:00.000Z'
const run: Run = {
  id: 'r',
  documentId: 'd',
  status: 'completed',
  trigger: { kind: 'mention', id: 'request' },
  instruction: 'ask @Ben and tighten this',
  invokedBy: ana,
  mode: 'edit',
  rounds: 1,
  maxRounds: 8,
  steps: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  createdAt: at,
}

const mention = (label: string, requestId: string) =>
  schema.node('mention', { id: label, label, kind: 'agent', requestId, state: 'sent' })
const block = (end = '  tighten this ') =>
  schema.node('paragraph', null, [
    mention('agent', 'request'),
    schema.text(' ask '),
    mention('Ben', 'other'),
    schema.text(` and${end}`),
  ])

test('[RUN-32] a request is removed when its run has answered it, and only as it was asked', () => {
  expect(isAnsweredAsAsked(run, block(), 'ana')).toBe(true)
  expect(isAnsweredAsAsked(run, block(' tighten this, please'), 'ana')).toBe(false)
  expect(isAnsweredAsAsked(run, block(), 'ben')).toBe(false)
  expect(isAnsweredAsAsked({ ...run, status: 'failed' }, block(), 'ana')).toBe(false)
  expect(isAnsweredAsAsked({ ...run, trigger: { kind: 'chat', id: 'request' } }, block(), 'ana')).toBe(false)
  const step = { id: 's', tool: 'edit_document', arguments: {}, summary: '', startedAt: at }
  expect(isAnsweredAsAsked({ ...run, steps: [{ ...step, status: 'error' }] }, block(), 'ana')).toBe(false)
})
