/** `length` UTF-16 units of an old text, from `from` on, occur in the new text `now` from `at` on. */
export type CopiedRun = { from: number; length: number; now: number; at: number }

// Two short texts are compared by character, longer ones by word, the longest not at all.
const maxCells = 40_000
// The budget of one change: texts beyond it are only searched as a whole.
const maxCellsOfAll = 20_000_000
// Enough to search the parts of one text that was split into 20,000 texts; texts beyond it are not found.
const maxPartsOfAll = 5_000_000
// Shorter common runs are coincidences.
const leastRun = 3
const nearby = 6

/**
 * Finds where old texts were moved: for each of `old` the runs of it that were copied into texts of `now`, in order of
 * `from`, none if it was not moved. Both lists are in document order, which distinguishes equal texts. No part of a new
 * text matches two old ones. An empty text has one run of length 0 if an empty text follows the destination of the
 * preceding text. With `wholeOnly`, a text is found only if all of it was copied; this takes milliseconds.
 */
export function matchTexts(
  old: readonly string[],
  now: readonly string[],
  { wholeOnly = false }: { wholeOnly?: boolean } = {},
): CopiedRun[][] {
  const matches: CopiedRun[][] = old.map(() => [])
  const free = now.map((text) => [{ at: 0, text }])
  matchEqual(old, now, matches, free)
  const left = old.flatMap((text, index) => (text !== '' && matches[index]?.length === 0 ? [index] : []))
  const open = free.flatMap((parts, each) => (parts.some(({ text }) => text !== '') ? [each] : []))
  const budget = { cells: maxCellsOfAll, parts: maxPartsOfAll }
  for (const [rank, index] of left.entries()) {
    const text = old[index] ?? ''
    const middle = Math.round((rank / left.length) * open.length)
    const near = open.slice(Math.max(0, middle - nearby), middle + nearby)
    for (const place of near) budget.parts -= free[place]?.length ?? 0
    if (budget.parts < 0) break
    matches[index] = findWhole(text, near, free) ?? (wholeOnly ? [] : findCopies(text, near, free, budget))
  }
  matchEmpty(old, now, matches)
  return matches
}

type Part = { at: number; text: string }

function matchEqual(old: readonly string[], now: readonly string[], matches: CopiedRun[][], free: (readonly Part[])[]) {
  const places = new Map<string, number[]>()
  for (let index = now.length - 1; index >= 0; index--) {
    const text = now[index] ?? ''
    const list = places.get(text)
    if (list) list.push(index)
    else places.set(text, [index])
  }
  for (const [index, text] of old.entries()) {
    const found = text === '' ? undefined : places.get(text)?.pop()
    if (found === undefined) continue
    matches[index] = [{ from: 0, length: text.length, now: found, at: 0 }]
    free[found] = []
  }
}

function matchEmpty(old: readonly string[], now: readonly string[], matches: CopiedRun[][]): void {
  let place = 0
  for (const [index, text] of old.entries()) {
    if (text === '' && now[place] === '') matches[index] = [{ from: 0, length: 0, now: place, at: 0 }]
    const last = matches[index]?.at(-1)
    if (last) place = last.now + 1
  }
}

/** The remaining budget for the comparison of all texts. */
type Budget = { cells: number; parts: number }

// Finds the occurrence of a whole text with the least other text around it.
function findWhole(text: string, places: readonly number[], free: (readonly Part[])[]): CopiedRun[] | undefined {
  let best: (CopiedRun & { around: number }) | undefined
  for (const now of places) {
    for (const part of free[now] ?? []) {
      const found = part.text.indexOf(text)
      const around = part.text.length - text.length
      if (found < 0 || (best && best.around <= around)) continue
      best = { from: 0, length: text.length, now, at: part.at + found, around }
    }
  }
  if (!best) return undefined
  const { now, at, length } = best
  free[now] = cut(free[now] ?? [], at, length)
  return [{ from: 0, length, now, at }]
}

// Matches the new text that contains most of the old one first, then searches the others for the rest.
function findCopies(text: string, places: readonly number[], free: (readonly Part[])[], budget: Budget): CopiedRun[] {
  const runs: CopiedRun[] = []
  let rest: Part[] = [{ at: 0, text }]
  for (;;) {
    let best: CopiedRun[] = []
    for (const now of places) {
      const found = rest.flatMap((a) => (free[now] ?? []).flatMap((b) => copiedRuns(a, b, now, budget)))
      const distinct = withoutOverlap(found)
      if (sizeOf(distinct) > sizeOf(best)) best = distinct
    }
    const now = best[0]?.now
    if (now === undefined) break
    const shorter = Math.min(sizeOfParts(rest), sizeOfParts(free[now] ?? []))
    if (sizeOf(best) * 2 < shorter) break
    runs.push(...best)
    for (const run of best) {
      rest = cut(rest, run.from, run.length)
      free[now] = cut(free[now] ?? [], run.at, run.length)
    }
  }
  return runs.sort((a, b) => a.from - b.from)
}

function sizeOf(runs: readonly CopiedRun[]): number {
  return runs.reduce((sum, { length }) => sum + length, 0)
}

function sizeOfParts(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0)
}

function withoutOverlap(runs: readonly CopiedRun[]): CopiedRun[] {
  const kept: CopiedRun[] = []
  for (const run of runs.toSorted((a, b) => b.length - a.length)) {
    const meets = (from: number, other: number, length: number): boolean =>
      from < other + length && other < from + run.length
    if (!kept.some((each) => meets(run.from, each.from, each.length) || meets(run.at, each.at, each.length))) {
      kept.push(run)
    }
  }
  return kept
}

function cut(parts: readonly Part[], from: number, length: number): Part[] {
  return parts.flatMap(({ at, text }) => {
    const start = Math.max(0, from - at)
    const end = Math.min(text.length, from + length - at)
    if (start >= end) return [{ at, text }]
    return [
      { at, text: text.slice(0, start) },
      { at: at + end, text: text.slice(end) },
    ].filter((part) => part.text !== '')
  })
}

/** The longest run that two texts share, and recursively those on both sides of it. */
function copiedRuns(a: Part, b: Part, now: number, budget: Budget): CopiedRun[] {
  const inA = a.text.indexOf(b.text)
  if (inA >= 0) return [{ from: a.at + inA, length: b.text.length, now, at: b.at }]
  const inB = b.text.indexOf(a.text)
  if (inB >= 0) return [{ from: a.at, length: a.text.length, now, at: b.at + inB }]
  const [old, fresh] = budget.cells > 0 ? tokensOf(a, b) : []
  if (!old || !fresh) return []
  budget.cells -= old.length * fresh.length
  const runs: CopiedRun[] = []
  collectRuns({ old, fresh, now, runs }, 0, old.length, 0, fresh.length)
  return runs
}

type Token = { at: number; text: string }

function tokensOf(a: Part, b: Part): [Token[], Token[]] | [] {
  for (const pattern of [/./gsu, /[\p{L}\p{N}\p{M}]+|\s|[^\p{L}\p{N}\p{M}\s]/gu]) {
    const [old, fresh] = [a, b].map((part) =>
      [...part.text.matchAll(pattern)].map((match) => ({ at: part.at + match.index, text: match[0] })),
    )
    if (old && fresh && old.length * fresh.length <= maxCells) return [old, fresh]
  }
  return []
}

type Comparison = { old: readonly Token[]; fresh: readonly Token[]; now: number; runs: CopiedRun[] }

function collectRuns(comparison: Comparison, from: number, to: number, at: number, end: number): void {
  const { old, fresh, now, runs } = comparison
  let best = { length: 0, from, at }
  let lengths = new Uint32Array(end - at + 1)
  for (let i = from; i < to; i++) {
    const next = new Uint32Array(end - at + 1)
    for (let j = at; j < end; j++) {
      if (old[i]?.text !== fresh[j]?.text) continue
      const length = (lengths[j - at] ?? 0) + 1
      next[j - at + 1] = length
      if (length > best.length) best = { length, from: i + 1 - length, at: j + 1 - length }
    }
    lengths = next
  }
  const text = old.slice(best.from, best.from + best.length)
  const size = text.reduce((sum, token) => sum + token.text.length, 0)
  const [start, target] = [old[best.from], fresh[best.at]]
  if (!start || !target || size < leastRun) return
  collectRuns(comparison, from, best.from, at, best.at)
  runs.push({ from: start.at, length: size, now, at: target.at })
  collectRuns(comparison, best.from + best.length, to, best.at + best.length, end)
}
