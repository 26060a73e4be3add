/**
 * `pnpm check`: types and lint with the import arrows, the library of published code, format and unused
 * code, in parallel. Exit code 1 if any fails.
 */
import { join } from 'node:path'
import { cacheFolder } from './lib/paths.ts'
import { captureCommand, type CommandResult, compilerEnvironment } from './lib/run-command.ts'

type Part = { name: string; command: string; args: string[]; env?: Record<string, string> }

const parts: Part[] = [
  {
    // One pass does both: rules that need types and the compiler's own messages come from the same programs.
    name: 'types, lint',
    command: 'oxlint',
    args: ['--deny-warnings', '--type-check'],
    env: compilerEnvironment,
  },
  // Published code runs in Node 20, whose library lacks a few things that the rest of the project uses.
  {
    name: 'published',
    command: 'tsc',
    args: ['--project', 'packages/tsconfig.build.json', '--noEmit'],
    env: compilerEnvironment,
  },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  {
    name: 'unused',
    command: 'knip',
    args: ['--no-progress', '--cache', '--cache-location', join(cacheFolder, 'knip')],
  },
]

function row(part: Part, result: CommandResult): string {
  const outcome = result.code === 0 ? 'ok' : 'FAILED'
  return `${part.name.padEnd(14)}${outcome.padEnd(8)}${(result.ms / 1000).toFixed(1).padStart(5)} s`
}

const results = await Promise.all(
  parts.map(async (part) => {
    return { part, result: await captureCommand(part.command, part.args, { env: part.env ?? {} }) }
  }),
)
const failed = results.filter(({ result }) => result.code !== 0)

for (const { part, result } of failed) console.log(`── ${part.name}\n${result.output.trim()}\n`)
for (const { part, result } of results) console.log(row(part, result))
process.exitCode = failed.length === 0 ? 0 : 1
