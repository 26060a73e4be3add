import type { IdMap, IdRange } from '@copydesk/schema/ids'
import * as Y from 'yjs'
import { changeIdOf, changeIdsOf } from '../common/review-ids.ts'
import { rangesOf, structsIn, toDeleteSet } from '../store/updates/id-ranges.ts'
import { parentItem, type ReplayedLog, type ReplayedRow } from './replayed-log.ts'

/** One step of a run and the last row of the content log that belongs to it. */
export type StepEnd = { run: string; step: string; lastSeq: number }

/** An undone part of a run: a step or, without `step`, all rows that belong to no step. */
export type UndonePart = { run: string; step?: string }

/**
 * Ids that should be in the document but aren't, and ids that are in it but shouldn't be; as the current ids, after
 * copies.
 */
export type Difference = { missing: IdRange[]; unwanted: IdRange[] }

type IdHistory = { chain: IdRange[]; deletedBy: { row: ReplayedRow; at: IdRange }[]; alive: boolean }

/**
 * Computes which of a run's ids have to change so that exactly those operations of all runs are in effect that aren't
 * undone. An id belongs in the document if the row that inserted it is in effect and no row that deleted it is. Users'
 * rows are always in effect. Copies made by undo count as their originals, so undo and redo of runs and steps combine
 * in any order.
 */
export class EffectSet {
  readonly #replayed: ReplayedLog
  readonly #steps = new Map<string, StepEnd[]>()
  readonly #undone: ReadonlySet<string>

  /** `steps` of each run are in order. */
  constructor(replayed: ReplayedLog, steps: readonly StepEnd[], undone: readonly UndonePart[]) {
    this.#replayed = replayed
    for (const step of steps) this.#steps.set(step.run, [...(this.#steps.get(step.run) ?? []), step])
    this.#undone = new Set(undone.map(({ run, step }) => partKey(run, step)))
  }

  differenceFor(run: string): Difference {
    const difference: Difference = { missing: [], unwanted: [] }
    for (const root of this.#rootsOf(run)) {
      for (const { range, value } of this.#replayed.inserted.found(root)) {
        this.#compare(range, this.#isInEffect(value), difference)
      }
    }
    // Also compares markers that users wrote: without the run's change, markers that close and reopen its mark would
    // cover text that it never covered.
    for (const { range, row } of repeatedMarksOf(this.#replayed, run))
      this.#compare(range, this.#isInEffect(row), difference)
    return difference
  }

  /** Adds the differences of a range whose ids were all inserted by rows in effect, or all by rows not in effect. */
  #compare(range: IdRange, inserted: boolean, difference: Difference): void {
    for (const { chain, deletedBy, alive } of this.#historiesOf(range)) {
      const last = chain.at(-1)
      const wanted = inserted && !deletedBy.some(({ row, at }) => this.#isInEffect(row, at))
      // Deleted ids count too: Yjs restores an attribute's older value only if all newer ones are undone.
      if (!wanted) difference.unwanted.push(...chain)
      else if (!alive && last) difference.missing.push(last)
    }
  }

  /** The ids that a run inserted or deleted, copies replaced by their originals. */
  #rootsOf(run: string): IdRange[] {
    const ofRun = (ids: IdMap<ReplayedRow>): IdRange[] =>
      [...ids].flatMap(({ range, value }) => (value.run === run || value.decidedBy === run ? range : []))
    const touched = [...ofRun(this.#replayed.inserted), ...ofRun(this.#replayed.deleted)]
    return [...rangesOf(toDeleteSet(touched.flatMap((range) => this.#originalsOf(range))))]
  }

  #originalsOf(range: IdRange): IdRange[] {
    return this.#replayed.originalOf.pieces(range).flatMap((piece) => {
      if (!piece.found) return [piece.range]
      const { client, clock } = piece.value
      return this.#originalsOf({ client, clock: clock + piece.offset, len: piece.range.len })
    })
  }

  /** Follows ids through their copies to the current ids. */
  #historiesOf(range: IdRange, chain: IdRange[] = [], deletedBy: IdHistory['deletedBy'] = []): IdHistory[] {
    return this.#replayed.deleted.pieces(range).flatMap((piece): IdHistory[] => {
      if (!piece.found) return [{ chain: [...chain, piece.range], deletedBy, alive: true }]
      const parts =
        piece.value.kind === 'undo'
          ? [{ range: piece.range, by: deletedBy }]
          : [...structsIn(this.#replayed.doc, piece.range)].map((part) => ({
              range: part.range,
              by: [...deletedBy, { row: piece.value, at: part.range }],
            }))
      return parts.flatMap((part) => this.#historiesOfDeleted(part.range, chain, part.by))
    })
  }

  #historiesOfDeleted(range: IdRange, chain: IdRange[], deletedBy: IdHistory['deletedBy']): IdHistory[] {
    return this.#replayed.copyOf.pieces(range).flatMap((piece): IdHistory[] => {
      const longer = [...chain, piece.range]
      if (!piece.found) return [{ chain: longer, deletedBy, alive: false }]
      const { client, clock, restored } = piece.value
      const copy = { client, clock: clock + piece.offset, len: piece.range.len }
      // Restored by a user: earlier deletions no longer count.
      return this.#historiesOf(copy, longer, restored ? [] : deletedBy)
    })
  }

  /** Whether a row is in effect (for the id `at`, if the row deleted it). */
  #isInEffect(row: ReplayedRow, at?: IdRange): boolean {
    const { seq, decidedBy } = row
    if (decidedBy !== undefined && this.#undone.has(partKey(decidedBy, this.#stepAt(decidedBy, seq)))) return false
    if (row.run === undefined) return true
    const step = row.kind === 'decision' ? at && this.#stepDecidedOn(row, at) : this.#stepOf(row)
    return !this.#undone.has(partKey(row.run, step))
  }

  /** The step in which the run wrote a row; undefined for decisions, which are possible at any time. */
  #stepOf({ seq, kind, run = '' }: ReplayedRow): string | undefined {
    return kind === 'decision' ? undefined : this.#stepAt(run, seq)
  }

  /** The step of the run to which the position of a row belongs. */
  #stepAt(run: string, seq: number): string | undefined {
    return this.#steps.get(run)?.find(({ lastSeq }) => lastSeq >= seq)?.step
  }

  /**
   * The step that suggested the content that a decision deleted. The run may still be executed at the time of the
   * decision, so this time doesn't determine the step.
   */
  #stepDecidedOn(row: ReplayedRow, { client, clock }: IdRange): string | undefined {
    let item: Y.Item | null | undefined = asItem(Y.getItem(this.#replayed.doc.store, Y.createID(client, clock)))
    while (item) {
      const step = this.#stepThatWrote(row.run, item) ?? this.#stepThatWrote(row.run, suggestionAt(item))
      if (step !== undefined) return step
      const parent: Y.Item | null = parentItem(item)
      item = parent && this.#replayed.deleted.get(parent.id) === row ? parent : undefined
    }
    return undefined
  }

  #stepThatWrote(run: string | undefined, item: Y.Item | undefined): string | undefined {
    const row = item && this.#replayed.inserted.get(item.id)
    return row && row.run === run ? this.#stepOf(row) : undefined
  }
}

/** The mark or attribute that suggested the deletion of deleted content. */
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

/** A marker by another author that only repeats a run's suggested change, and the row in which the run suggested it. */
type RepeatedMark = { range: IdRange; row: ReplayedRow }

type Written = { item: Y.Item; row: ReplayedRow; changes: readonly string[] }

/**
 * The markers and `suggestion` attributes by other authors that name only suggested changes of this run. A user who
 * types inside a change closes its mark and reopens it after the typed text; a user who splits a block copies the mark.
 * They are in effect if and only if the run's own marks are. A change is the run's if the run wrote its id first.
 */
function repeatedMarksOf(replayed: ReplayedLog, run: string): RepeatedMark[] {
  const written = [...suggestionsIn(replayed)]
  const first = new Map<string, ReplayedRow>()
  for (const { row, changes } of written) {
    for (const id of changes) if (row.seq < (first.get(id)?.seq ?? Infinity)) first.set(id, row)
  }
  return written.flatMap(({ item, row, changes }): RepeatedMark[] => {
    // The run's own markers, and copies made by undo, are found through their originals.
    if (row.run === run || row.kind === 'undo') return []
    const origins = changes.map((id) => first.get(id) ?? row)
    if (!origins.every((origin) => origin.run === run && origin.kind === 'run')) return []
    const { client, clock } = item.id
    const range = { client, clock, len: item.length }
    return [{ range, row: origins.reduce((a, b) => (b.seq > a.seq ? b : a)) }]
  })
}

function* suggestionsIn({ doc, inserted }: ReplayedLog): Generator<Written, void, undefined> {
  for (const structs of doc.store.clients.values()) {
    for (const item of structs) {
      if (!(item instanceof Y.Item)) continue
      const changes = changesNamedBy(item)
      const row = changes.length > 0 ? inserted.get(item.id) : undefined
      if (row) yield { item, row, changes }
    }
  }
}

function changesNamedBy({ content, parentSub }: Y.Item): readonly string[] {
  if (content instanceof Y.ContentFormat) {
    const id = changeIdOf(content)
    return id === undefined ? [] : [id]
  }
  return parentSub === 'suggestion' && content instanceof Y.ContentAny ? changeIdsOf(content.arr[0]) : []
}
