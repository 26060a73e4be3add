/** Text as search compares it: compatibility forms and letter case don't matter (Unicode NFKC, lower case). */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
