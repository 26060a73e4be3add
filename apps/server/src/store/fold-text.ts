/** Normalizes text for search, which ignores compatibility forms and letter case (Unicode NFKC, lower case). */
export function foldText(text: string): string {
  return showableText(text).toLowerCase()
}

/**
 * A text as search results show it: all characters have the same positions as in its `foldText`, in UTF-16 units and in
 * code points.
 */
export function showableText(text: string): string {
  // The only character that is longer in lower case.
  return text.normalize('NFKC').replaceAll('İ', 'i̇')
}

const sortedAtMost = 120

/** The key for sorting in lists: without accents and letter case, with numbers in the order of their values. */
export function sortKey(text: string): string {
  const plain = text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/\d{1,15}/g, (digits) => digits.padStart(15, '0')).slice(0, sortedAtMost)
}
