import type { AuditEntry } from '@copydesk/protocol'

/** Entries as JSON lines. */
export async function* toJsonLines(entries: AsyncIterable<AuditEntry>): AsyncIterable<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

const columns = ['at', 'actor', 'actorName', 'action', 'document', 'target', 'address', 'details'] as const

/** Entries as CSV with a header line (RFC 4180). A cell that looks like a formula is escaped with an apostrophe. */
export async function* toCsv(entries: AsyncIterable<AuditEntry>): AsyncIterable<string> {
  yield `${columns.join(',')}\r\n`
  for await (const { at, actor, action, document, target, address, details } of entries) {
    const cells = [at, actor?.id, actor?.name, action, document, target, address, details && JSON.stringify(details)]
    yield `${cells.map((cell) => toCell(cell ?? '')).join(',')}\r\n`
  }
}

// Spreadsheets evaluate cells that begin like this, even after leading whitespace.
const formula = /^[\s\u0000-\u001f]*[=+\-@|%]/u

function toCell(text: string): string {
  const safe = formula.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
