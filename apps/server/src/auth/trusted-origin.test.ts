import { expect, test } from 'vitest'
import { isOwnHost, isOwnOrigin } from './trusted-origin.ts'

const publicUrl = 'https://desk.example.org'

test('[ORIGIN-1] addresses, loopback names and the public name are the server; other names are not', () => {
  for (const host of [
    '127.0.0.1:3000',
    '192.168.1.7',
    '[::1]:3000',
    'localhost:3000',
    'a.localhost',
    'desk.example.org',
  ]) {
    expect(isOwnHost(host, publicUrl), host).toBe(true)
  }
  for (const host of [
    'evil.example:3000',
    'desk.example.org.evil.example',
    'localhost.evil.example',
    '',
    'a b',
    undefined,
  ]) {
    expect(isOwnHost(host, publicUrl), host).toBe(false)
  }
})

test("[ORIGIN-2] a page's origin must be the server's own; programs send none", () => {
  const host = '127.0.0.1:3000'
  for (const origin of [undefined, publicUrl, 'http://127.0.0.1:3000']) {
    expect(isOwnOrigin({ origin, host }, publicUrl), origin).toBe(true)
  }
  for (const origin of ['http://127.0.0.1:4000', 'https://evil.example', 'null', '']) {
    expect(isOwnOrigin({ origin, host }, publicUrl), origin).toBe(false)
  }
})
