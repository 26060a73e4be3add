/** Normalizes text for search, which ignores compatibility forms and letter case (Unicode NFKC, lower case). */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
