import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { rolldown } from 'rolldown'

/** The code of one file of `page` as a single script. */
export async function bundle(name: string): Promise<string> {
  const input = fileURLToPath(new URL(`../page/${name}.ts`, import.meta.url))
  const build = await rolldown({
    input,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  try {
    const { output } = await build.generate({ format: 'iife', minify: true })
    return output[0].code
  } finally {
    await build.close()
  }
}

/**
 * Waits until an expression has a value in the page, for at most two minutes. (Playwright's own waiting needs `eval`
 * for it, which the server's policy forbids to pages.)
 */
export async function waitFor<T>(page: Page, expression: string, what: string): Promise<T> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const value = await page.evaluate<T | null>(`${expression} ?? null`)
    if (value !== null) return value
    await page.waitForTimeout(100)
  }
  throw new Error(`${what} did not happen`)
}
