import type { PlannedCall } from './eval-case.ts'

/** A call of any tool, for scripts. */
export function call(tool: string, input: Record<string, unknown> = {}): PlannedCall {
  return { tool, input }
}

/** Reads the document. */
export const read: PlannedCall = call('read_document')

/** Replaces one text; `more` names a block or an occurrence. */
export function edit(find: string, replace: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('edit_document', { find, replace, ...more })
}

/** Replaces every occurrence. */
export function replaceAll(searchText: string, newText: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('replace_text', { searchText, newText, ...more })
}

/** Inserts next to a text. */
export function insertAfter(anchor: string, content: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('insert_text', { position: { type: 'relative', anchor, placement: 'after' }, content, ...more })
}

/** Inserts next to a text. */
export function insertBefore(anchor: string, content: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('insert_text', { position: { type: 'relative', anchor, placement: 'before' }, content, ...more })
}

/** Inserts at the start or the end of the document. */
export function insertAt(location: 'start' | 'end', content: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('insert_text', { position: { type: 'absolute', location }, content, ...more })
}

/** Formats a text (every occurrence of it). */
export function format(value: string, type: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('apply_formatting', { target: { type: 'text', value }, format: { type, ...more } })
}

/** Takes a format off a text. */
export function unformat(value: string, type: string): PlannedCall {
  return call('apply_formatting', { target: { type: 'text', value }, format: { type }, remove: true })
}

/** Formats whole blocks by number; the script must have read them. */
export function formatBlocks(block: number, to: number, type: string, more: Record<string, unknown> = {}): PlannedCall {
  return call('apply_formatting', { target: { type: 'block', block, to }, format: { type, ...more } })
}

/** Changes a section. */
export function section(operation: string, input: Record<string, unknown>): PlannedCall {
  return call('update_section', { operation, ...input })
}

/** Comments on a text. */
export function comment(search: string, text: string): PlannedCall {
  return call('add_comment', { search, text })
}

/** The first match of `pattern` in the results, newest first; for ids that a tool made. */
export function capture(results: readonly string[], pattern: RegExp): string {
  for (const result of results.toReversed()) {
    const found = pattern.exec(result)?.[1]
    if (found !== undefined) return found
  }
  return ''
}
