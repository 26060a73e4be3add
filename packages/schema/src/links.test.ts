import { expect, test } from 'vitest'
import { isSafeUrl, linkProtocols } from './index.ts'

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'java\u0000script:alert(1)',
  'javascript\n:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://a.b/c',
  'about:blank',
  'ms-word:ofe|u|https://a.b',
  'view-source:http://a.b',
])('%j is refused', (url) => {
  expect(isSafeUrl(url)).toBe(false)
})

test.each(['/a', 'a/b:c', './a:b', '#a', '?a=javascript:1', '', '//a.b/c', 'HTTPS://a.b', 'mailto:a@b.c', 'a b'])(
  '%j is accepted',
  (url) => {
    expect(isSafeUrl(url)).toBe(true)
  },
)

test('every protocol of the list is accepted, and nothing but a string', () => {
  for (const protocol of linkProtocols) expect(isSafeUrl(`${protocol}://a`)).toBe(true)
  for (const value of [null, undefined, 1, {}, ['https://a'], { toString: () => 'https://a' }]) {
    expect(isSafeUrl(value)).toBe(false)
  }
})
