/** `pnpm docs:tools`: regenerates `docs/tools.md` from the catalogue, with the test that compares the two. */
import { runCommand } from './lib/run-command.ts'

process.exitCode = await runCommand('vitest', ['run', 'packages/tools/src/tool/tool-docs.test.ts', '--update'])
