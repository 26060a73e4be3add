import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './paths.ts'

/** Tests of one runner, or of several added up. */
export type TestCounts = { passed: number; failed: number; skipped: number }

/** Nothing ran. */
export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0 }

/** Adds up the counts of several runners. */
export function addCounts(all: readonly TestCounts[]): TestCounts {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    noTests,
  )
}

/** The one line that ends a test run. `skipped` is named only where there are any. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}

/** What a runner that ended badly without naming a failed test counts as: one failure, so that the line never lies. */
export function withExitCode(counts: TestCounts, code: number): TestCounts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** What Vitest's JSON reporter writes of each file, as far as it is read here. */
type VitestFile = {
  name: string
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

/** The failed tests in the file that Vitest's JSON reporter wrote, one line each: file, title, begin of the message. */
export function failedVitestTests(file: string): string[] {
  const files = (readJson(file)['testResults'] ?? []) as VitestFile[]
  return files.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const lines = failed.map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`)
    // A file that can't be loaded has no tests.
    const reasons = assertionResults.length === 0 && message ? [firstLine(message)] : lines
    return reasons.map((line) => `${relative(root, name)}: ${line}`)
  })
}

/** Counts from the file that Vitest's JSON reporter wrote; none if it isn't there. */
export function readVitestReport(file: string): TestCounts {
  const report = readJson(file)
  return {
    passed: numberAt(report, 'numPassedTests'),
    failed: numberAt(report, 'numFailedTests'),
    skipped: numberAt(report, 'numPendingTests') + numberAt(report, 'numTodoTests'),
  }
}

/** Counts from the file that Playwright's JSON reporter wrote; none if it isn't there. */
export function readPlaywrightReport(file: string): TestCounts {
  const stats = readJson(file)['stats']
  const counts: Record<string, unknown> = typeof stats === 'object' && stats !== null ? { ...stats } : {}
  return {
    passed: numberAt(counts, 'expected') + numberAt(counts, 'flaky'),
    failed: numberAt(counts, 'unexpected'),
    skipped: numberAt(counts, 'skipped'),
  }
}

function firstLine(message = ''): string {
  return message.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

function readJson(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {}
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

function numberAt(report: Record<string, unknown>, key: string): number {
  const value = report[key]
  return typeof value === 'number' ? value : 0
}
