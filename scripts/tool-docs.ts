/** `pnpm docs:tools`: writes `docs/tools.md` anew from the catalogue, by the test that compares the two. */
import { runCommand } from './lib/run-command.ts'

process.exitCode = await runCommand('vitest', ['run', 'packages/tools/src/tool-docs.test.ts', '--update'])
