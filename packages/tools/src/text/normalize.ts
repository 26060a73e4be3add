/**
 * Text as it is compared when it isn't found as it stands: composed (NFC), with straight quotes, plain hyphens and
 * spaces. `start(i)` is where in the original the i-th unit comes from; that of the text's length is the end. `isAligned` if
 * each unit comes from the one at its own place.
 */
export type NormalizedText = { text: string; isAligned: boolean; start(unit: number): number }

// A letter with its marks, or the parts of a Korean syllable: what may become one character when composed.
const clusters = /[\u1100-\u115F][\u1160-\u11A7][\u11A8-\u11FF]?|[\uAC00-\uD7A3][\u11A8-\u11FF]|\P{M}\p{M}*|\p{M}+/gsu
const plain = /^[\n -~]*$/

/** Normalises text for comparison; a model often types other quotes, dashes and spaces than the document has. */
export function normalize(original: string): NormalizedText {
  if (plain.test(original)) return { text: original, isAligned: true, start: (unit) => unit }
  // Most text is composed already: then each character stands for itself, which is far cheaper to tell.
  if (!original.includes('…') && original.normalize('NFC') === original) {
    return { text: original.replace(foldable, foldCharacter), isAligned: true, start: (unit) => unit }
  }
  let text = ''
  const starts: number[] = []
  for (const match of original.matchAll(clusters)) {
    const composed = match[0].normalize('NFC')
    const folded = composed === '…' ? '...' : composed.replace(foldable, foldCharacter)
    for (let unit = 0; unit < folded.length; unit++) starts.push(match.index)
    text += folded
  }
  starts.push(original.length)
  return { text, isAligned: false, start: (unit) => starts[unit] ?? original.length }
}

/** Where in the original each unit from `from` on comes from, with one entry more for the end. */
export function startsOf(normalized: NormalizedText, from: number, length: number): number[] {
  return Array.from({ length: length + 1 }, (_, unit) => normalized.start(from + unit))
}

const foldable = /[‘’‚‛′“”„‟″‐‑‒–—―−\u00A0\u2000-\u200A\u202F\u205F\u3000\t]/g

function foldCharacter(character: string): string {
  if (/[‘’‚‛′]/.test(character)) return "'"
  if (/[“”„‟″]/.test(character)) return '"'
  return /[‐‑‒–—―−]/.test(character) ? '-' : ' '
}
