// Spreadsheets evaluate cells that begin like this, even after leading whitespace.
const formula = /^[\s\u0000-\u001f]*[=+\-@|%]/u

/** A quoted cell of a CSV file (RFC 4180). Text that looks like a formula is escaped with an apostrophe. */
export function toCsvCell(text: string): string {
  const safe = formula.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
