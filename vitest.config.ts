import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.{ts,tsx}',
      'scripts/**/*.test.ts',
      'eval/src/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', 'tests/browser/**'],
    environment: 'node',
    // Many tests wait for servers that they start: on a small machine one more than it has processors is fastest.
    maxWorkers: Math.max(2, availableParallelism() + 1),
    // A limit for what hangs, not a measure: machines that test are slow and busy.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
})
