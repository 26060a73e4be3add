import { type Drafts, editKey } from './drafts.ts'
import type { ChatStep, StepDecision } from './types.ts'

/** Stores decisions; rejects when one of them couldn't be stored, after the host has shown why. */
export type Decide = (decisions: readonly StepDecision[]) => Promise<void>

/** A rejection as it is sent; an empty reason is none. */
export function rejection(step: string, reason: string): StepDecision {
  return { step, decision: 'reject', ...(reason === '' ? {} : { reason }) }
}

/** An approval as it is sent: with what was edited of its text, if that differs from what was proposed. */
export function approval({ id, text }: Pick<ChatStep, 'id' | 'text'>, drafts: Pick<Drafts, 'get'>): StepDecision {
  const edited = drafts.get(editKey(id))
  return { step: id, decision: 'approve', ...(edited === '' || edited === text ? {} : { text: edited }) }
}

/** Stores approvals one by one; what was edited of a step has served its purpose once that step is stored. Rejects as the first that failed. */
export async function approve(steps: readonly ChatStep[], drafts: Drafts, decide: Decide): Promise<void> {
  let failed: { error: unknown } | undefined
  for (const step of steps) {
    try {
      await decide([approval(step, drafts)])
      drafts.set(editKey(step.id), '')
    } catch (error) {
      failed ??= { error }
    }
  }
  if (failed) throw failed.error
}
