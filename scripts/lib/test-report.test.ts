import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './paths.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { addCounts, failedVitestTests, noTests, readVitestReport, summaryLine, withExitCode } from './test-report.ts'

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

test('failed tests are named with their file and the first line of their message, also a file that cannot be loaded', () => {
  const folder = makeTemporaryFolder('copydesk-report-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  const [failed, passed] = ['failed', 'passed'].map((status) => {
    return { status, fullName: `it ${status}`, failureMessages: ['AssertionError: no\n    at line 1'] }
  })
  const testResults = [
    { name: join(root, 'a/one.test.ts'), message: '', assertionResults: [failed, passed] },
    { name: join(root, 'two.test.ts'), message: 'SyntaxError: oh\nmore', assertionResults: [] },
  ]
  writeFileSync(file, JSON.stringify({ testResults }))
  expect(failedVitestTests(file)).toEqual([
    'a/one.test.ts: it failed: AssertionError: no',
    'two.test.ts: SyntaxError: oh',
  ])
  expect(failedVitestTests('/no/such/report.json')).toEqual([])
})
