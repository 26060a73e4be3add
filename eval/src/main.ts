/**
 * `pnpm eval`: plays the commands of `cases/` with the model that the environment names, as the server reads it, and
 * prints the pass rate. `--only <group or id>`, `--repeat <n>`, `--write` for docs/models.md, `--scripted` for the
 * scripts instead of a model, JSON to the file in JSON_OUT. Exit code 0 if it ran, whatever passed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProvider } from '@copydesk/agent'
import { createBuiltinProvider } from '@copydesk/builtin-agent'
import { cases } from './cases/index.ts'
import type { EvalCase } from './eval-case.ts'
import { withResult } from './models-page.ts'
import { playAll } from './play-all.ts'
import { type Attempt, describeFailures, describeTable, scoreOf, wrongEditsOf } from './report.ts'
import { readOptions, type RunOptions } from './run-options.ts'
import { createScriptPlayer } from './script-player.ts'

const pageFile = new URL('../../docs/models.md', import.meta.url)

function fail(message: string, hint: string): number {
  console.error(`${message}\n${hint}`)
  return 1
}

function chosenBy(only: string | undefined): EvalCase[] {
  return cases.filter(({ id, group }) => only === undefined || group === only || id.startsWith(only))
}

function writePage(model: string, attempts: readonly Attempt[]): number {
  const written = withResult(readFileSync(pageFile, 'utf8'), model, new Date().toISOString().slice(0, 10), attempts)
  if (!written.ok) return fail(`docs/models.md: ${written.message}`, written.hint)
  writeFileSync(pageFile, written.page)
  return 0
}

async function run({ only, repeat, write, scripted, jsonOut, settings, limits }: RunOptions): Promise<number> {
  const chosen = chosenBy(only)
  if (chosen.length === 0) return fail(`No case or group is named ${only}.`, 'eval/src/cases has them.')
  if (write && (only !== undefined || scripted)) {
    return fail("--write can't be used with --only or --scripted.", 'docs/models.md is about whole runs of models.')
  }
  const provider = (settings && createProvider(settings)) ?? createBuiltinProvider()
  const model = scripted
    ? 'scripted'
    : provider.id === provider.model
      ? provider.id
      : `${provider.id} ${provider.model}`
  const attempts = await playAll(chosen, (turn) => (scripted ? createScriptPlayer(turn.script) : provider), {
    ...limits,
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    random: Math.random,
    repeat,
    onAttempt: ({ passed }) => process.stderr.write(passed ? '.' : '✗'),
  })
  process.stderr.write('\n')
  const failures = describeFailures(attempts)
  if (failures !== '') console.log(`${failures}\n`)
  console.log(describeTable(model, attempts))
  if (jsonOut !== undefined) {
    writeFileSync(
      jsonOut,
      `${JSON.stringify({ model, score: scoreOf(attempts), wrongEdits: wrongEditsOf(attempts), attempts }, null, 2)}\n`,
    )
  }
  if (attempts.every(({ problem }) => problem?.startsWith('the run ended as failed') === true)) {
    return fail('Not one run got an answer from the model.', 'See the failures above.')
  }
  return write ? writePage(model, attempts) : 0
}

const read = readOptions(process.argv.slice(2), process.env)
process.exitCode = read.ok ? await run(read.options) : fail(read.message, read.hint)
