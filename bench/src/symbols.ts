/**
 * The index of a project's symbols over 5,000 generated files: how long it takes to build, and to look up a definition,
 * the importers of a file, and a definition in a file that was just written. The ratio is to a search for the same name
 * with ripgrep, as `search_files` does it; same folder, same machine, same run.
 *
 *     pnpm --filter @copydesk/bench symbols
 *
 * FILES (5000) and ROUNDS (40) change what is measured.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createProjectFiles } from '@copydesk/server/project'
import { percentile } from './percentile.ts'

const files = Number(process.env['FILES'] ?? 5_000)
const rounds = Number(process.env['ROUNDS'] ?? 40)

const pathOf = (index: number): string => `src/part${index % 250}/module${index}.ts`

/** A module of about 120 lines that imports three others. */
function textOf(index: number, more = ''): string {
  const imports = [1, 7, 49].map((step) => {
    const other = (index + step) % files
    return `import { Class${other} } from '../part${other % 250}/module${other}.ts'`
  })
  const methods = Array.from({ length: 16 }, (_, each) => [
    `  /** Adds ${each} to what is given, and keeps it. */`,
    `  method${each}(given: number): number {`,
    `    const sum = given + this.field${each}`,
    `    this.field${each} = sum % 1_000`,
    '    return sum',
    '  }',
    `  field${each} = ${index}`,
  ])
  return [...imports, `export class Class${index} {`, ...methods.flat(), '}', more].join('\n')
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function measure(act: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await act(round)
    times.push(performance.now() - start)
  }
  return times
}

const root = mkdtempSync(join(tmpdir(), 'copydesk-symbols-'))
const project = createProjectFiles(root, [])
try {
  for (let index = 0; index < files; index++) write(root, pathOf(index), textOf(index))
  const before = process.memoryUsage.rss()
  const start = performance.now()
  let first = await project.symbols.findDefinition('Class1', { most: 50 })
  while (first.ok && !first.index.isCurrent) first = await project.symbols.findDefinition('Class1', { most: 50 })
  const built = performance.now() - start
  const memory = process.memoryUsage.rss() - before
  console.log(`${files} files indexed in ${(built / 1_000).toFixed(1)} s, ${Math.round(memory / 1e6)} MB`, first)
  const figures = {
    definition: await measure((round) => project.symbols.findDefinition(`Class${round * 31}`, { most: 50 })),
    '50 of many definitions': await measure(() => project.symbols.findDefinition('method3', { most: 50 })),
    importers: await measure((round) => project.symbols.findImporters(pathOf(round * 31), { most: 50 })),
    'definition, a file just written': await measure(async (round) => {
      write(root, pathOf(round), textOf(round, `export class Added${round} {}`))
      const found = await project.symbols.findDefinition(`Added${round}`, { most: 50 })
      if (!found.ok || found.total !== 1) throw new Error('a file that was just written is not in the index')
    }),
    search_files: await measure((round) =>
      project.search({ pattern: `class Class${round * 31}\\b`, path: '.', holds: () => true, most: 50 }),
    ),
  }
  const searched = percentile(figures.search_files, 0.5)
  const row = (times: number[]) => {
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
    return {
      'p50 ms': Number(p50.toFixed(1)),
      'p95 ms': Number(p95.toFixed(1)),
      ratio: Number((p50 / searched).toFixed(3)),
    }
  }
  console.table(Object.fromEntries(Object.entries(figures).map(([name, times]) => [name, row(times)])))
} finally {
  await project.close()
  rmSync(root, { recursive: true, force: true })
}
