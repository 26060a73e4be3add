// Controls and signs that nobody sees: they can hide instructions from the people who check a text.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u{E0100}-\u{E01EF}\u{FE00}-\u{FE0F}\u{115F}\u{1160}\u{3164}]/gu

/** A text from outside on its way to a model or a page: without signs that nobody sees, cut at `length` characters. */
export function cleanText(text: string, length: number): string {
  const kept = text
    .slice(0, length * 4)
    .replace(invisible, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return kept.length <= length ? kept.toWellFormed() : `${kept.slice(0, length - 1).toWellFormed()}…`
}
