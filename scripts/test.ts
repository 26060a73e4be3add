/**
 * `pnpm test`: everything that must pass before a change lands: the check, Vitest over all packages, Playwright in a
 * real Chromium. `pnpm test <name>…`: the Vitest files and Playwright specs whose paths contain a name, nothing else.
 * Ends with one line, `N passed, N failed`. Parts that can't run on this machine are skipped with a warning; in CI
 * (variable `CI`) that is a failure.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWebIfChanged } from './lib/build-web.ts'
import { freePort } from './lib/free-port.ts'
import { ensureChromium } from './lib/install-chromium.ts'
import { cacheFolder } from './lib/paths.ts'
import { runCommand } from './lib/run-command.ts'
import { makeTemporaryFolder } from './lib/temporary-folder.ts'
import { filesWithoutTexts, findTestFiles } from './lib/test-files.ts'
import {
  addCounts,
  failedVitestTests,
  noTests,
  readPlaywrightReport,
  readVitestReport,
  summaryLine,
  type TestCounts,
  withExitCode,
} from './lib/test-report.ts'

/** How one part ended: counts and a line for each failed test, or why it could not run. */
type Outcome = { name: string; counts: TestCounts; failed?: string[]; notRun?: string }

// Keeps the compile cache of test servers and their threads: some hundreds of them are started.
process.env['NODE_COMPILE_CACHE'] ??= join(cacheFolder, 'compiled')

const names = process.argv.slice(2)
const files = findTestFiles(names)
const isSet = (variable: string): boolean => !['', '0', 'false'].includes(process.env[variable] ?? '')
const inCi = isSet('CI')

function title(name: string): void {
  console.log(`\n── ${name}`)
}

/** The path of a report that does not exist yet. */
function newReport(name: string): string {
  mkdirSync(cacheFolder, { recursive: true })
  const file = join(cacheFolder, `${name}.json`)
  rmSync(file, { force: true })
  return file
}

async function check(): Promise<Outcome> {
  title('check')
  const code = await runCommand('node', ['scripts/check.ts'])
  return { name: 'check', counts: withExitCode(noTests, code) }
}

async function vitest(): Promise<Outcome> {
  title('vitest')
  const report = newReport('vitest')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // Without a name Vitest finds the files itself: as arguments they would be searched for one by one.
  const code = await runCommand('vitest', ['run', ...reporters, ...(names.length === 0 ? [] : files.vitest)])
  return { name: 'vitest', counts: withExitCode(readVitestReport(report), code), failed: failedVitestTests(report) }
}

async function browser(): Promise<Outcome> {
  title('browser')
  const chromium = await ensureChromium()
  if (chromium === undefined) {
    const notRun = 'no Chromium: set CHROMIUM_PATH, or run `pnpm exec playwright install chromium`'
    return { name: 'browser', counts: noTests, notRun }
  }
  const built = await buildWebIfChanged()
  if (built !== 0) return { name: 'browser', counts: withExitCode(noTests, built) }
  const report = newReport('playwright')
  const data = makeTemporaryFolder('copydesk-browser-tests-')
  try {
    const env = {
      CHROMIUM_PATH: chromium,
      BROWSER_TEST_DATA: data,
      BROWSER_TEST_PORT: process.env['BROWSER_TEST_PORT'] ?? String(await freePort()),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    }
    const code = await runCommand('playwright', ['test', '--reporter=list,json', ...files.browser], { env })
    return { name: 'browser', counts: withExitCode(readPlaywrightReport(report), code) }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Runs one part; an error in it counts as one failure, so that the other parts and the last line still follow. */
async function runPart(part: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await part()
  } catch (error) {
    console.error(error)
    return { name: part.name, counts: withExitCode(noTests, 1) }
  }
}

if (files.vitest.length + files.browser.length === 0) {
  console.error(`No test file's path contains ${names.join(' or ')}`)
  process.exit(1)
}

// Vitest mostly waits for servers, so it runs in parallel with the check. Browser tests need the whole machine.
const first = [...(names.length === 0 ? [check] : []), ...(files.vitest.length > 0 ? [vitest] : [])]
const outcomes = await Promise.all(first.map(runPart))
if (files.browser.length > 0) outcomes.push(await runPart(browser))

const notRun = outcomes.filter((outcome) => outcome.notRun !== undefined)
const counts = addCounts(outcomes.map((outcome) => outcome.counts))
console.log()
for (const outcome of outcomes)
  console.log(`${outcome.name.padEnd(10)}${outcome.notRun ?? summaryLine(outcome.counts)}`)
// Vitest's own report of them is far above, before that of the browser tests.
for (const line of outcomes.flatMap(({ failed = [] }) => failed)) console.error(`\nFAILED: ${line}`)
for (const { name, notRun: reason } of notRun) {
  console.error(`\nNOT RUN: ${name} (${reason})${inCi ? '; in CI that is a failure' : ''}`)
}
const shrunk = filesWithoutTexts([...files.vitest, ...files.browser])
const areTextsNeeded = isSet('EXPECT_TEST_DATA')
if (shrunk.length > 0) {
  console.error(`\nSHRUNK: without ../shared/data these skip tests or have fewer inputs: ${shrunk.join(', ')}`)
  if (areTextsNeeded) console.error('EXPECT_TEST_DATA is set: that is a failure')
}
const isIncomplete = (inCi && notRun.length > 0) || (areTextsNeeded && shrunk.length > 0)
process.exitCode = counts.failed > 0 || isIncomplete ? 1 : 0
console.log(`\n${summaryLine(counts)}`)
