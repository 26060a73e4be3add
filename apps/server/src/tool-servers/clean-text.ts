// Control and invisible characters, which can hide instructions from the people who check a text.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u{E0100}-\u{E01EF}\u{FE00}-\u{FE0F}\u{115F}\u{1160}\u{3164}]/gu

/** External text for a model or a page: without invisible characters, cut at `length` characters. */
export function cleanText(text: string, length: number): string {
  const kept = text
    .slice(0, length * 4)
    .replace(invisible, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return kept.length <= length ? kept.toWellFormed() : `${kept.slice(0, length - 1).toWellFormed()}…`
}
