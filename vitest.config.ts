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
    // A limit for what hangs, not a measure: machines that test are slow and busy.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
})
