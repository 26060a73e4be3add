import { documentInfo, summarizeOutline } from './document-info.ts'
import { shorten } from '../common/result.ts'
import type { DocumentSession } from '../session/document-session.ts'
import type { SessionMode } from '../session/host/session-options.ts'

const selectionLimit = 500
const peopleLimit = 20

const modes: Readonly<Record<SessionMode, string>> = {
  edit: 'edit (changes take effect at once)',
  suggest: 'suggest (changes become tracked changes that people accept or reject)',
  ask: 'ask (a call that changes the text waits until a person approves it)',
}

/**
 * The agent's document context, as plain text to include in a custom system prompt: title, size, outline, selection,
 * people present, mode. At most about 60 headings, 20 people and 500 characters of the selection; each on one line, so
 * that no user-written text can look like a part of the prompt. The context is data: the prompt should say that it
 * contains no instructions. For a document that can't be read, the text says why.
 */
export function getSystemContext(session: DocumentSession): string {
  const described = documentInfo(session)
  if (!described.ok) return `The document can't be read: ${described.message}`
  const { info } = described
  const outline = summarizeOutline(session)
  const headings = outline.ok ? outline.headings : []
  const omitted = outline.ok ? outline.omitted : 0
  const lines = [
    `Document: ${quote(info.title, 200)}`,
    `Size: ${info.blocks} blocks, ${info.words} words`,
    `Mode: ${modes[info.mode]}`,
    ...(info.canEdit ? [] : ['The caller may not change this document.']),
    `Called by: ${quote(session.caller.name, 80)}`,
    `Here now: ${peopleLine(info.people)}`,
    selectionLine(info.selection),
    headings.length === 0 ? 'Outline: no headings' : 'Outline (level, [block], heading):',
    ...headings.map(({ level, block, text }) => `${'#'.repeat(level)} [${block}] ${shorten(text, 120)}`),
    ...(omitted > 0 ? [`…and ${omitted} more headings`] : []),
  ]
  return lines.join('\n')
}

function peopleLine(people: readonly { name: string; kind: string }[]): string {
  if (people.length === 0) return 'nobody else'
  const named = people
    .slice(0, peopleLimit)
    .map(({ name, kind }) => `${quote(name, 80)}${kind === 'agent' ? ' (agent)' : ''}`)
  const more = people.length > peopleLimit ? ` and ${people.length - peopleLimit} more` : ''
  return named.join(', ') + more
}

function selectionLine(selection: { text: string; block: number } | null): string {
  if (!selection || selection.text === '') return 'Selection: nothing is selected'
  return `Selection (in block [${selection.block}]; "this" means it): ${quote(selection.text, selectionLimit)}`
}

function quote(text: string, length: number): string {
  return JSON.stringify(shorten(text, length))
}
