import type { PanelTexts } from '../language/texts.ts'
import type { ChatMessage, ChatStep } from '../common/types.ts'

/** The parts of an answer, in order of arrival. */
export type AnswerPart =
  | { kind: 'said'; key: string; text: string }
  | { kind: 'steps'; key: string; steps: ChatStep[] }
  | { kind: 'approval'; key: string; steps: ChatStep[] }

/**
 * An answer as alternating text, step cards and approval cards. The agent's text before a step precedes the step; the
 * rest of the message's text, after all these texts, is last. Steps that wait for approval together are one card, at
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
  const rest = remainingText(text, steps)
  return rest === '' ? parts : [...parts, { kind: 'said', key: `rest ${id}`, text: rest }]
}

/**
 * The parts of an answer for display: the last text is the answer, and all other parts except the cards that wait for
 * approval are the agent's work.
 */
export function foldParts(parts: readonly AnswerPart[]) {
  const last = parts.findLast(({ kind }) => kind === 'said')
  return {
    answer: last?.kind === 'said' ? last.text : '',
    approvals: parts.filter((part) => part.kind === 'approval'),
    work: parts.filter((part) => part !== last && part.kind !== 'approval'),
  }
}

/** Steps and changes in one line, such as "4 steps · 2 changes"; empty without steps. */
export function countWork(steps: readonly ChatStep[], texts: PanelTexts): string {
  if (steps.length === 0) return ''
  const changes = steps.reduce((sum, step) => sum + (step.changes?.length ?? 0) + (step.moreChanges ?? 0), 0)
  const counts = [texts.stepCount(steps.length), ...(changes === 0 ? [] : [texts.changeCount(changes)])]
  return counts.join(' · ')
}

function remainingText(text: string, steps: readonly ChatStep[]): string {
  const said = steps.flatMap((step) => step.said?.trim() || [])
  let rest = text.trim()
  if (rest === said.at(-1)) return ''
  for (const each of said) {
    if (!rest.startsWith(each)) break
    rest = rest.slice(each.length).trim()
  }
  return rest
}
