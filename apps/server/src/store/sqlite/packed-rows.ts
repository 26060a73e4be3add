import type { AppendRow, PackedRows } from './sqlite-protocol.ts'

/** Packs rows; `bytes.buffer` may be transferred. */
export function packRows(rows: readonly AppendRow[]): PackedRows {
  const bytes = new Uint8Array(rows.reduce((sum, row) => sum + row.bytes.byteLength, 0))
  let end = 0
  const ends = rows.map((row) => {
    bytes.set(row.bytes, end)
    return (end += row.bytes.byteLength)
  })
  return {
    bytes,
    ends,
    names: rows.map(({ name }) => name),
    actors: rows.map(({ actor }) => actor),
    runs: rows.map(({ run }) => run),
    epochs: rows.map(({ epoch }) => epoch),
    times: rows.map(({ at }) => at),
    also: rows.map(({ also }) => also),
  }
}

export function* unpackRows(packed: PackedRows): Generator<AppendRow> {
  const { bytes, ends, names, actors, runs, epochs, times, also } = packed
  let start = 0
  for (const [index, name] of names.entries()) {
    const end = ends[index] ?? start
    yield {
      name,
      bytes: bytes.subarray(start, end),
      actor: actors[index] ?? '',
      run: runs[index] ?? null,
      epoch: epochs[index] ?? null,
      at: times[index] ?? 0,
      also: also[index] ?? [],
    }
    start = end
  }
}
