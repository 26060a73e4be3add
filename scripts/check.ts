/** `pnpm check`: types, lint with the import arrows, format and unused code, in parallel. Exit code 1 if any fails. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, root } from './lib/paths.ts'
import { captureCommand, type CommandResult } from './lib/run-command.ts'

type Part = { name: string; command: string; args: string[] }

// Code that runs in a page is checked with the page's types.
const configs = [
  { name: 'types', project: 'tsconfig.json' },
  { name: 'types (web)', project: 'apps/web/tsconfig.json' },
  { name: 'types (agent panel)', project: 'packages/agent-panel/tsconfig.json' },
  { name: 'types (examples)', project: 'examples/tsconfig.json' },
  { name: 'types (browser tests)', project: 'tests/browser/tsconfig.json' },
  { name: 'types (bench page)', project: 'bench/page/tsconfig.json' },
].filter(({ project }) => existsSync(join(root, project)))

/** A type check that looks only at what changed since the last one. */
function typesPart({ name, project }: { name: string; project: string }): Part {
  const seen = join(cacheFolder, `${name.replaceAll(/\W+/g, '-')}.tsbuildinfo`)
  return { name, command: 'tsc', args: ['--noEmit', '--project', project, '--incremental', '--tsBuildInfoFile', seen] }
}

const parts: Part[] = [
  ...configs.map(typesPart),
  { name: 'lint', command: 'oxlint', args: ['--deny-warnings'] },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'unused', command: 'knip', args: ['--no-progress'] },
]

function row(part: Part, result: CommandResult): string {
  const outcome = result.code === 0 ? 'ok' : 'FAILED'
  return `${part.name.padEnd(22)}${outcome.padEnd(8)}${(result.ms / 1000).toFixed(1).padStart(5)} s`
}

const results = await Promise.all(
  parts.map(async (part) => ({ part, result: await captureCommand(part.command, part.args) })),
)
const failed = results.filter(({ result }) => result.code !== 0)

for (const { part, result } of failed) console.log(`── ${part.name}\n${result.output.trim()}\n`)
for (const { part, result } of results) console.log(row(part, result))
process.exitCode = failed.length === 0 ? 0 : 1
