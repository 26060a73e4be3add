import { localizable } from '@copydesk/tools/localizable'
import { expect, test } from 'vitest'
import { RateLimited, RequestError, orThrow, refuse } from './errors.ts'

test('[LANG-8] an error is in English, and its texts with values come with what they are translated by', () => {
  const refused = refuse('conflict', localizable`You have ${50} keys, the maximum.`, 'Revoke one.')
  const thrown = () => orThrow(refused)
  expect(thrown).toThrow('You have 50 keys, the maximum.')
  expect(new RateLimited('Too many requests.', 150_000).toBody().error).toEqual({
    code: 'rate_limited',
    message: 'Too many requests.',
    hint: 'Try again in 3 minutes.',
    localizable: {
      hint: {
        key: 'Try again in {0}.',
        values: [{ key: '{0, plural, one {# minute} other {# minutes}}', values: [3] }],
      },
    },
  })
  expect(refused.localizable).toEqual({ message: { key: 'You have {0} keys, the maximum.', values: [50] } })
  expect(new RequestError('not_found', 'Gone.').toBody()).toEqual({ error: { code: 'not_found', message: 'Gone.' } })
})
