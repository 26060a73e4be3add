import { expect, test } from 'vitest'
import { addCounts, noTests, readVitestReport, summaryLine, withExitCode } from './test-report.ts'

test('the last line names skipped tests only where there are any', () => {
  expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})

test('a runner that ended badly without a failed test counts as one failure', () => {
  expect(withExitCode({ passed: 5, failed: 0, skipped: 0 }, 1).failed).toBe(1)
  expect(withExitCode({ passed: 5, failed: 2, skipped: 0 }, 1).failed).toBe(2)
  expect(withExitCode({ passed: 5, failed: 0, skipped: 0 }, 0).failed).toBe(0)
})

test('counts add up, and a report that was never written counts nothing', () => {
  const missing = readVitestReport('/no/such/report.json')
  expect(missing).toEqual(noTests)
  expect(addCounts([missing, { passed: 1, failed: 2, skipped: 3 }, { passed: 4, failed: 0, skipped: 0 }])).toEqual({
    passed: 5,
    failed: 2,
    skipped: 3,
  })
})
