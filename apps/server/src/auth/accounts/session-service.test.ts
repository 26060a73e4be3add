import { expect, test } from 'vitest'
import { describeDevice } from './session-service.ts'

test('[ACC-9] a session is named after its browser and system, or its program', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const known: [string | null, string][] = [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19 Safari/604',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['curl/8.5.0', 'curl'],
    ['<script>', 'Unknown device'],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
  ]
  for (const [userAgent, device] of known) expect(describeDevice(userAgent)).toBe(device)
})
