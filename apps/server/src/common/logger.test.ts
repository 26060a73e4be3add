import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

test('[BAD-68] an error is logged by what it says and where, without what it was about', () => {
  const lines: string[] = []
  const logger = createLogger('trace', undefined, { write: (line) => void lines.push(line) })
  const cause = Object.assign(new Error('for ana@example.org'), { payload: { email: 'ana@example.org' } })
  const error = Object.assign(new Error('at http://127.0.0.1/s/abc?token=abc', { cause }), {
    code: 'ERR',
    claims: 'abc',
  })
  logger.error({ err: error, headers: { cookie: 'abc' } }, 'with cdk_abc and Bearer abc')
  expect(lines.join('')).not.toMatch(/abc|example\.org/)
  expect(JSON.parse(lines.join(''))).toMatchObject({
    msg: 'with cdk_… and Bearer …',
    err: { type: 'Error', code: 'ERR', message: 'at http://127.0.0.1/s/…?…', cause: { message: 'for …@…' } },
  })
})
