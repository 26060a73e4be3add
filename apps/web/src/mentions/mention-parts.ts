import { AGENT_WORD, type Mentioned } from '@copydesk/protocol'

/** A part of a text: plain text, the name of a person, or the word that calls the agent. */
export type MentionPart = { kind: 'text' | 'agent'; text: string } | { kind: 'person'; text: string; id: string }

/** Splits a text at the people whom it mentions and, with `agent`, at the word that calls the agent. */
export function mentionParts(text: string, mentions: readonly Mentioned[], agent: boolean): MentionPart[] {
  const people = mentions.toSorted((a, b) => b.name.length - a.name.length)
  const patterns = [
    ...people.map(({ name }) => String.raw`(?<![\p{L}\p{N}_])@${escape(name)}(?![\p{L}\p{N}_])`),
    ...(agent ? [AGENT_WORD] : []),
  ]
  if (patterns.length === 0) return [{ kind: 'text', text }]
  const parts: MentionPart[] = []
  let last = 0
  for (const found of text.matchAll(new RegExp(patterns.join('|'), 'gu'))) {
    const [word] = found
    if (found.index > last) parts.push({ kind: 'text', text: text.slice(last, found.index) })
    const person = people.find(({ name }) => word === `@${name}`)
    parts.push(person ? { kind: 'person', text: word, id: person.id } : { kind: 'agent', text: word })
    last = found.index + word.length
  }
  if (last < text.length) parts.push({ kind: 'text', text: text.slice(last) })
  return parts
}

function escape(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}
