import { parseMarkdownFragment, serializeBlock } from '@copydesk/schema/markdown'
import { listSections } from '../document/sections.ts'
import type { DocumentSession } from '../session/document-session.ts'

/**
 * The arguments with which a call is shown while its new text is being written. If it replaces a text, the part of the
 * old text that the new one hasn't reached yet stays after the new text, so that the old text is replaced word by word
 * and common text is never touched. `undefined` if that can't be determined.
 */
export function keepRest(
  tool: string,
  input: Record<string, unknown>,
  session: DocumentSession,
): Record<string, unknown> | undefined {
  switch (tool) {
    case 'edit_document':
      return { ...input, replace: withRest(textOf(input['find']), textOf(input['replace'])) }
    case 'suggest_replacement':
      if (typeof input['find'] !== 'string') return undefined
      return { ...input, replace: withRest(input['find'], textOf(input['replace'])) }
    case 'update_section':
      return input['operation'] === 'replace' ? withOldBlocks(input, session) : input
    default:
      return input
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const word = /[\p{L}\p{N}]+/gu

/** The new text so far, followed by the part of the old one after the last word that both have. */
function withRest(old: string, now: string): string {
  if (old === '' || now.includes('\n')) return now
  const words = [...old.matchAll(word)]
  let reached = 0
  let index = 0
  for (const [text] of now.matchAll(word)) {
    const found = words.findIndex((each, at) => at >= index && each[0] === text)
    if (found < 0) continue
    index = found + 1
    reached = (words[found]?.index ?? 0) + text.length
  }
  return now.trimEnd() + (reached === 0 && !/^\s/.test(old) ? ' ' : '') + old.slice(reached)
}

function withOldBlocks(input: Record<string, unknown>, session: DocumentSession): Record<string, unknown> | undefined {
  const read = session.view()
  const resolved = read.ok ? session.resolveSection(Number(input['section'] ?? 0), read.view) : read
  const section = read.ok && resolved.ok ? listSections(read.view)[resolved.index] : undefined
  if (!section) return undefined
  const now = textOf(input['content'])
  const written = parseMarkdownFragment(now).childCount
  const rest = section.nodes.slice(written).map(({ node }) => serializeBlock(node, { changes: 'accepted' }))
  return { ...input, content: [now, ...rest].join('\n\n') }
}
