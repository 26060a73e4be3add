import { expect, test } from 'vitest'
import { isSafeUrl } from './safe-url.ts'

test('only addresses that can run nothing become links', () => {
  for (const url of ['https://example.org/a?b#c', ' http://x.org', 'mailto:a@b.org', 'tel:+123']) {
    expect(isSafeUrl(url), url).toBe(true)
  }
  for (const url of [
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:x',
    'data:text/html,x',
    '//x.org',
    '/a',
    'vbscript:x',
    '',
  ]) {
    expect(isSafeUrl(url), url).toBe(false)
  }
})
