import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

// The headless shell comes first: it draws no windows and takes a third less processor time.
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The path of a Chromium for browser tests: `CHROMIUM_PATH`, then Playwright's own, then the system's; undefined if
 * there is none. A `CHROMIUM_PATH` that names nothing is an error, never silently replaced.
 */
export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH is ${given}, but no such file exists`)
    return given
  }
  return [chromium.executablePath(), ...systemPaths].find((path) => existsSync(path))
}
