import { expect, test } from 'vitest'
import { idOfCall } from './ids.ts'

test('an id is the same for the same call, another for any other, and fit for attributes', () => {
  expect(idOfCall('thread', 'run/1')).toBe(idOfCall('thread', 'run/1'))
  const calls = [
    '',
    'run/1',
    'run/2',
    'nur/1',
    'run/1 ',
    '\u0000',
    '😀',
    ...Array.from({ length: 5_000 }, (_, n) => `r/${n}`),
  ]
  const ids = calls.flatMap((callId) => [idOfCall('thread', callId), idOfCall('comment', callId)])
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[tc][a-z0-9]{1,13}$/)
})
