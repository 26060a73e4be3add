/**
 * Text as it is compared when it isn't found as it stands: composed (NFC), with straight quotes, plain hyphens and
 * spaces. `start(i)` is where in the original the i-th unit comes from; that of the text's length is the end.
 */
export type NormalizedText = { text: string; start(unit: number): number }

const clusters = /\P{M}\p{M}*|\p{M}+/gsu
const plain = /^[\n -~]*$/

/** Normalises text for comparison; a model often types other quotes, dashes and spaces than the document has. */
export function normalize(original: string): NormalizedText {
  if (plain.test(original)) return { text: original, start: (unit) => unit }
  let text = ''
  const starts: number[] = []
  for (const match of original.matchAll(clusters)) {
    const folded = fold(match[0].normalize('NFC'))
    for (let unit = 0; unit < folded.length; unit++) starts.push(match.index)
    text += folded
  }
  starts.push(original.length)
  return { text, start: (unit) => starts[unit] ?? original.length }
}

/** Where in the original each unit from `from` on comes from, with one entry more for the end. */
export function startsOf(normalized: NormalizedText, from: number, length: number): number[] {
  return Array.from({ length: length + 1 }, (_, unit) => normalized.start(from + unit))
}

function fold(cluster: string): string {
  if (/[‘’‚‛′]/.test(cluster)) return "'"
  if (/[“”„‟″]/.test(cluster)) return '"'
  if (/[‐‑‒–—―−]/.test(cluster)) return '-'
  if (/[\u00A0\u2000-\u200A\u202F\u205F\u3000\t]/.test(cluster)) return ' '
  return cluster === '…' ? '...' : cluster
}
