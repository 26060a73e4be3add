import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/lib/paths.ts'
import type { HostileInput } from './hostile-input.ts'
import { describeOutcome, type Measured } from './measure.ts'

/** One row of the table. */
export type ReportRow = { dimension: string; input: HostileInput; size: number; measured: Measured; isHeld: boolean }

const file = join(root, 'docs/security-tests.md')
const mark = '<!-- Written by the tests from here on. -->'

/**
 * Gathers what was measured, for the table in docs/security-tests.md; elsewhere it says in a line what was the worst.
 */
export function createReport(isKept: boolean) {
  const rows: ReportRow[] = []
  return {
    add: (row: ReportRow): void => void rows.push(row),
    write(): void {
      if (rows.length === 0) return
      const held = rows.filter(({ isHeld }) => isHeld).length
      console.info(`${rows.length} hostile inputs, ${held} held; ${worst(rows)}`)
      if (!isKept) return
      const before = readFileSync(file, 'utf8').split(mark)[0] ?? ''
      writeFileSync(file, `${before}${mark}\n\n${table(rows)}\n`)
    },
  }
}

function worst(rows: readonly ReportRow[]): string {
  const most = (of: (measured: Measured) => number): number =>
    Math.round(Math.max(...rows.map(({ measured }) => of(measured))))
  return [
    `/healthz at most ${most(({ healthMs }) => healthMs)} ms`,
    `acknowledgement ${most(({ acknowledgedMs }) => acknowledgedMs)} ms`,
    `open ${most(({ openMs }) => openMs ?? Infinity)} ms`,
    `memory ${most(({ memoryBytes }) => memoryBytes / 2 ** 20)} MiB`,
  ].join(', ')
}

function table(rows: readonly ReportRow[]): string {
  const head = ['What', 'Input', 'Size', '/healthz ms', 'acknowledged ms', 'open ms', 'memory MiB', 'Outcome', 'Held']
  const cells = rows.map(({ dimension, input, size, measured, isHeld }) => [
    dimension,
    input.name.slice(0, 100),
    String(size),
    measured.healthMs.toFixed(0),
    measured.acknowledgedMs.toFixed(0),
    measured.openMs?.toFixed(0) ?? 'never',
    (measured.memoryBytes / 2 ** 20).toFixed(0),
    describeOutcome(measured.outcome).replaceAll('|', ' '),
    isHeld ? 'yes' : '**no**',
  ])
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
