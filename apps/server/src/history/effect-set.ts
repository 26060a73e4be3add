import * as Y from 'yjs'
import { repeatedMarksOf } from './repeated-marks.ts'
import type { IdRange } from './id-map.ts'
import { type ReplayedLog, parentItem, structsIn, toDeleteSet } from './replayed-log.ts'

/** One step of a run and the row of the content log with which it ended. */
export type StepEnd = { run: string; step: string; lastSeq: number }

/** A part of what runs did that is undone: a step, or, without `step`, what belongs to no step. */
export type UndonePart = { run: string; step?: string }

/** What should be there and isn't, and what shouldn't: ids as they stand in the document now. */
export type Difference = { missing: IdRange[]; unwanted: IdRange[] }

type IdHistory = { chain: IdRange[]; deletedBy: { seq: number; at: IdRange }[]; alive: boolean }

/**
 * What would have to change about a run's ids so that of all runs' doings exactly those are in effect which aren't undone:
 * an id belongs into the document if what inserted it is in effect and nothing that deleted it is. People's doings always
 * are. Copies stand for what they are copies of, so undo and redo of runs and steps combine in any order.
 */
export class EffectSet {
  readonly #replayed: ReplayedLog
  readonly #steps = new Map<string, StepEnd[]>()
  readonly #undone: ReadonlySet<string>

  /** `steps` of one run in their order. */
  constructor(replayed: ReplayedLog, steps: readonly StepEnd[], undone: readonly UndonePart[]) {
    this.#replayed = replayed
    for (const step of steps) this.#steps.set(step.run, [...(this.#steps.get(step.run) ?? []), step])
    this.#undone = new Set(undone.map(({ run, step }) => partKey(run, step)))
  }

  differenceFor(run: string): Difference {
    const difference: Difference = { missing: [], unwanted: [] }
    for (const root of this.#rootsOf(run)) {
      for (const piece of this.#replayed.inserted.pieces(root)) {
        if (!piece.found) continue
        this.#compare(piece.range, this.#isInEffect(piece.value), difference)
      }
    }
    // People's too: without the run's change, what they wrote to close and reopen its mark would cover text that it never did.
    for (const { range, seq } of repeatedMarksOf(this.#replayed, run))
      this.#compare(range, this.#isInEffect(seq), difference)
    return difference
  }

  /** Adds what differs of ids that were all inserted by something that is, or isn't, in effect. */
  #compare(range: IdRange, inserted: boolean, difference: Difference): void {
    for (const { chain, deletedBy, alive } of this.#fatesOf(range)) {
      const last = chain.at(-1)
      const wanted = inserted && !deletedBy.some(({ seq, at }) => this.#isInEffect(seq, at))
      // Dead ones count too: Yjs puts an attribute's older value back only if all newer ones are to go.
      if (!wanted) difference.unwanted.push(...chain)
      else if (!alive && last) difference.missing.push(last)
    }
  }

  /** The ids that a run inserted or deleted, none of them a copy. */
  #rootsOf(run: string): IdRange[] {
    const isOfRun = (seq: number): boolean => this.#replayed.runOf(seq) === run
    const touched = [...this.#replayed.inserted.rangesWith(isOfRun), ...this.#replayed.deleted.rangesWith(isOfRun)]
    const set = toDeleteSet(touched.flatMap((range) => this.#originalsOf(range)))
    return [...set.clients].flatMap(([client, ranges]) => ranges.map(({ clock, len }) => ({ client, clock, len })))
  }

  #originalsOf(range: IdRange): IdRange[] {
    return this.#replayed.originalOf.pieces(range).flatMap((piece) => {
      if (!piece.found) return [piece.range]
      const { client, clock } = piece.value
      return this.#originalsOf({ client, clock: clock + piece.offset, len: piece.range.len })
    })
  }

  /** Follows ids through their copies to what stands for them now. */
  #fatesOf(range: IdRange, chain: IdRange[] = [], deletedBy: IdHistory['deletedBy'] = []): IdHistory[] {
    return this.#replayed.deleted.pieces(range).flatMap((piece): IdHistory[] => {
      if (!piece.found) return [{ chain: [...chain, piece.range], deletedBy, alive: true }]
      const parts = this.#replayed.isUndo(piece.value)
        ? [{ range: piece.range, by: deletedBy }]
        : structsIn(this.#replayed.doc, piece.range).map((part) => ({
            range: part.range,
            by: [...deletedBy, { seq: piece.value, at: part.range }],
          }))
      return parts.flatMap((part) => this.#fatesOfDeleted(part.range, chain, part.by))
    })
  }

  #fatesOfDeleted(range: IdRange, chain: IdRange[], deletedBy: IdHistory['deletedBy']): IdHistory[] {
    return this.#replayed.copyOf.pieces(range).flatMap((piece): IdHistory[] => {
      const longer = [...chain, piece.range]
      if (!piece.found) return [{ chain: longer, deletedBy, alive: false }]
      const { client, clock } = piece.value
      return this.#fatesOf({ client, clock: clock + piece.offset, len: piece.range.len }, longer, deletedBy)
    })
  }

  /** Whether what a row did (to the id `at`, if it deleted it) is in effect. */
  #isInEffect(seq: number, at?: IdRange): boolean {
    const run = this.#replayed.runOf(seq)
    if (run === undefined) return true
    const step = this.#replayed.isDecision(seq) ? at && this.#stepDecidedOn(run, seq, at) : this.#stepOf(run, seq)
    return !this.#undone.has(partKey(run, step))
  }

  /** The step during which the run wrote a row; none for decisions, which may come at any time. */
  #stepOf(run: string, seq: number): string | undefined {
    if (this.#replayed.isDecision(seq)) return undefined
    return this.#steps.get(run)?.find(({ lastSeq }) => lastSeq >= seq)?.step
  }

  /**
   * The step that had suggested what a decision deleted. A decision may come while its run still goes on, so when it came says nothing
   * about the step.
   */
  #stepDecidedOn(run: string, seq: number, { client, clock }: IdRange): string | undefined {
    let item: Y.Item | null | undefined = asItem(Y.getItem(this.#replayed.doc.store, Y.createID(client, clock)))
    while (item) {
      const step = this.#stepThatWrote(run, item) ?? this.#stepThatWrote(run, suggestionAt(item))
      if (step !== undefined) return step
      const parent: Y.Item | null = parentItem(item)
      item = parent && this.#replayed.deleted.get(parent.id.client, parent.id.clock) === seq ? parent : undefined
    }
    return undefined
  }

  #stepThatWrote(run: string, item: Y.Item | undefined): string | undefined {
    const seq = item && this.#replayed.inserted.get(item.id.client, item.id.clock)
    return seq !== undefined && this.#replayed.runOf(seq) === run ? this.#stepOf(run, seq) : undefined
  }
}

/** The mark or attribute that says of deleted content that its deletion had been suggested. */
function suggestionAt(item: Y.Item): Y.Item | undefined {
  if (item.content instanceof Y.ContentType) {
    let value = item.content.type._map.get('suggestion')
    while (value?.content instanceof Y.ContentAny && value.content.arr[0] === null && value.left) value = value.left
    return value
  }
  for (let left = item.left; left; left = left.left) {
    if (left.content instanceof Y.ContentFormat && left.content.key.startsWith('deletion')) {
      return left.content.value === null ? undefined : left
    }
  }
  return undefined
}

function asItem(struct: Y.Item | Y.GC): Y.Item | undefined {
  return struct instanceof Y.Item ? struct : undefined
}

function partKey(run: string, step: string | undefined): string {
  return step === undefined ? run : `${run} ${step}`
}
