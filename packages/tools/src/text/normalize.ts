/**
 * Text in the form used for comparison when there is no exact match: composed (NFC), with straight quotes, plain
 * hyphens and spaces. `start(i)` is the offset in the original of the i-th unit; that of the text's length is the end.
 * `isAligned` if every unit has the same offset in the original.
 */
export type NormalizedText = { text: string; isAligned: boolean; start(unit: number): number }

// A letter with its marks, or the parts of a Korean syllable: sequences that composition may merge into one character.
const clusters = /[\u1100-\u115F][\u1160-\u11A7][\u11A8-\u11FF]?|[\uAC00-\uD7A3][\u11A8-\u11FF]|\P{M}\p{M}*|\p{M}+/gsu
const plain = /^[\n -~]*$/

/**
 * Normalises text for comparison; models often type quotes, dashes and spaces in another encoding than the document.
 */
export function normalize(original: string): NormalizedText {
  if (plain.test(original)) return { text: original, isAligned: true, start: (unit) => unit }
  // Most text is already composed: each character then maps to itself, which is much cheaper to check.
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

/** The offset in the original of each unit from `from` on, with one more entry for the end. */
export function startsOf(normalized: NormalizedText, from: number, length: number): number[] {
  return Array.from({ length: length + 1 }, (_, unit) => normalized.start(from + unit))
}

const foldable = /[‘’‚‛′“”„‟″‐‑‒–—―−\u00A0\u2000-\u200A\u202F\u205F\u3000\t]/g

function foldCharacter(character: string): string {
  if (/[‘’‚‛′]/.test(character)) return "'"
  if (/[“”„‟″]/.test(character)) return '"'
  return /[‐‑‒–—―−]/.test(character) ? '-' : ' '
}
