import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HostileInput } from './hostile-input.ts'
import { dimensions } from './inputs/index.ts'
import { type AttackedDocument, failuresOf, lossesOf, measure } from './measure.ts'
import { createReport } from './report.ts'
import { type HostileScene, openHostileScene } from './scene.ts'

/** `full`: the sizes next to the limits themselves, and the table for docs/security-tests.md. By hand, on a machine that does nothing else. */
const isFull = process.env.HOSTILE_SCALE === 'full'
/** Plays only the dimensions and inputs whose names contain this. */
const only = process.env.HOSTILE_ONLY ?? ''
const patience = isFull ? { senderMs: 120_000, openMs: 10_000 } : { senderMs: 15_000, openMs: 5000 }
const timeout = isFull ? 900_000 : 120_000

let scene: HostileScene
const report = createReport(isFull)

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

for (const [dimension, inputs] of Object.entries(dimensions)) {
  const played = inputs.filter((input) => isPlayed(dimension, input))
  if (played.length > 0) describe(dimension, () => playAll(dimension, played))
}

function playAll(dimension: string, inputs: readonly HostileInput[]): void {
  const documents: AttackedDocument[] = []

  test.for(inputs.map((input) => ({ ...input, size: sizeOf(input) })))(
    `[HOSTILE-1] ${dimension}: $name ($size) harms nobody else, and its sender is told`,
    { timeout },
    async (input) => {
      const measured = await measure(scene, dimension, input, input.size, patience)
      documents.push(measured.document)
      const failures = failuresOf(measured, input)
      report.add({ dimension, input, size: input.size, measured, isHeld: failures.length === 0 })
      expect(failures).toEqual([])
    },
  )

  test(`[HOSTILE-2] ${dimension}: what was acknowledged is there after a power cut`, { timeout }, async () => {
    const isWhole = await scene.restart()
    const losses: string[] = []
    for (const document of documents) losses.push(...(await lossesOf(scene, document)))
    expect({ isWhole, losses }).toEqual({ isWhole: true, losses: [] })
  })
}
