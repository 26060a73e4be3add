const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands between tags or in a quoted attribute of HTML: nothing in it can end either. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[&<>"']/g, (character) => references[character] ?? '')
}
