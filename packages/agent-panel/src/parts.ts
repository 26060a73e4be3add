import type { ChatMessage, ChatStep } from './types.ts'

/** The parts of an answer, in order of arrival. */
export type AnswerPart =
  | { kind: 'said'; key: string; text: string }
  | { kind: 'steps'; key: string; steps: ChatStep[] }
  | { kind: 'approval'; key: string; steps: ChatStep[] }

/**
 * An answer as alternating text, step cards and approval cards. The text said before a step precedes it; the rest of
 * the message's text, which begins with all of that, comes last. Steps that wait for approval together are one card, at
 * the position of the first.
 */
export function answerParts({ id, text }: Pick<ChatMessage, 'id' | 'text'>, steps: readonly ChatStep[]): AnswerPart[] {
  const parts: AnswerPart[] = []
  const cards = new Map<string, ChatStep[]>()
  for (const step of steps) {
    if (step.said) parts.push({ kind: 'said', key: `said ${step.id}`, text: step.said })
    if (step.status === 'waiting') {
      const group = step.group ?? step.id
      const card = cards.get(group)
      if (card) card.push(step)
      else {
        const waiting = [step]
        cards.set(group, waiting)
        parts.push({ kind: 'approval', key: `approval ${group}`, steps: waiting })
      }
      continue
    }
    const last = parts.at(-1)
    if (last?.kind === 'steps') last.steps.push(step)
    else parts.push({ kind: 'steps', key: `steps ${step.id}`, steps: [step] })
  }
  const rest = restOf(text, steps)
  return rest === '' ? parts : [...parts, { kind: 'said', key: `rest ${id}`, text: rest }]
}

function restOf(text: string, steps: readonly ChatStep[]): string {
  const said = steps.flatMap((step) => step.said?.trim() || [])
  let rest = text.trim()
  if (rest === said.at(-1)) return ''
  for (const each of said) {
    if (!rest.startsWith(each)) break
    rest = rest.slice(each.length).trim()
  }
  return rest
}
