import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/lib/find-chromium.ts'
import { cacheFolder } from './scripts/lib/paths.ts'

const port = process.env['BROWSER_TEST_PORT'] ?? '4310'
const origin = `http://127.0.0.1:${port}`
const executablePath = findChromium()

// One data folder a run: workers read this file again and get it from their environment.
const data = (process.env['BROWSER_TEST_DATA'] ??= join(cacheFolder, 'browser-tests', String(Date.now())))

export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/browser/before-all-tests.ts',
  outputDir: 'test-results',
  // Tests wait for the windows of others, too: a few more workers than processors are fastest, yet not on a busy
  // machine.
  workers: availableParallelism() + 2,
  retries: 0,
  // Limits for what hangs, not measures: machines that test are slow and busy. What a page must be sent, where it asks
  // by itself after half a minute, has a limit of its own.
  timeout: 300_000,
  expect: { timeout: 55_000 },
  forbidOnly: true,
  use: {
    baseURL: origin,
    browserName: 'chromium',
    // A trace costs a tenth of the processor time even without pictures: `--trace on` keeps one.
    trace: 'off',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    // A service worker would answer requests that tests hold or change; the test of it allows it.
    serviceWorkers: 'block',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // An eighth less processor time: no processes of their own for drawing and the network, and fewer collections
        // of young objects. The first feature is one that Playwright switches on itself.
        '--in-process-gpu',
        '--enable-features=CDPScreenshotNewSurface,NetworkServiceInProcess2',
        '--js-flags=--min-semi-space-size=16',
      ],
    },
  },
  webServer: {
    command: 'node scripts/build.ts && exec node apps/server/dist/main.js',
    url: `${origin}/readyz`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    env: { HOST: '127.0.0.1', PORT: port, DATA_DIR: data, AUTH: 'open', AGENT_PROVIDER: 'builtin' },
  },
})
