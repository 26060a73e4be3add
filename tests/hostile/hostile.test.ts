import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HostileInput } from './hostile-input.ts'
import { dimensions } from './inputs/index.ts'
import { type AttackedDocument, failuresOf, findLosses, measure } from './measure.ts'
import { createReport } from './report.ts'
import { type HostileScene, openHostileScene } from './scene.ts'

/**
 * `full`: the sizes next to the limits themselves, and the table for docs/security-tests.md. By hand, on a machine that
 * does nothing else.
 */
const isFull = process.env.HOSTILE_SCALE === 'full'
/** Plays only the dimensions and inputs whose names contain this. */
const only = process.env.HOSTILE_ONLY ?? ''
const timeLimits = { senderMs: isFull ? 120_000 : 90_000, openMs: 10_000, isExact: isFull }
const timeout = isFull ? 900_000 : 120_000

let scene: HostileScene
// A part of the table must not replace all of it.
const report = createReport(isFull && only === '')

beforeAll(async () => {
  scene = await openHostileScene()
})

afterAll(async () => {
  await scene.close()
  report.write()
})

const sizeOf = ({ scale }: HostileInput): number => (isFull ? scale.full : scale.ci)
const isPlayed = (dimension: string, input: HostileInput): boolean =>
  sizeOf(input) > 0 && `${dimension}: ${input.name}`.includes(only)

/**
 * After so many inputs at least the server is started again, to look for what was acknowledged: that takes its time,
 * too.
 */
const inputsInGroup = 60

type Row = { dimension: string; input: HostileInput; size: number }

/** Whole dimensions, of which some are a group if they are small. */
function groupsOf(table: typeof dimensions): Row[][] {
  const groups: Row[][] = [[]]
  for (const [dimension, inputs] of Object.entries(table)) {
    const rows = inputs.filter((input) => isPlayed(dimension, input))
    if ((groups.at(-1)?.length ?? 0) >= inputsInGroup) groups.push([])
    groups.at(-1)?.push(...rows.map((input) => ({ dimension, input, size: sizeOf(input) })))
  }
  return groups.filter((group) => group.length > 0)
}

for (const group of groupsOf(dimensions)) {
  const documents: AttackedDocument[] = []

  for (const { dimension, input, size } of group) {
    test(
      `[HOSTILE-1] ${dimension}: ${input.name} (${size}) harms nobody else, and its sender gets an answer`,
      { timeout },
      async () => {
        const measured = await measure(scene, dimension, input, size, timeLimits)
        documents.push(measured.document)
        const failures = failuresOf(measured, input)
        report.add({ dimension, input, size, measured, isHeld: failures.length === 0 })
        expect(failures.join('; ')).toBe('')
      },
    )
  }

  test(
    `[HOSTILE-2] what was acknowledged is there after a power cut: ${group[0]?.dimension} to ${group.at(-1)?.dimension}`,
    { timeout },
    async () => {
      const isWhole = await scene.restart()
      const losses: string[] = []
      for (const document of documents) losses.push(...(await findLosses(scene, document)))
      expect({ isWhole, losses }).toEqual({ isWhole: true, losses: [] })
    },
  )
}
