import { type Drafts, editKey } from '../common/drafts.ts'
import type { ChatStep, StepDecision } from '../common/types.ts'

/** Stores decisions; rejects when one of them couldn't be stored, after the host has shown why. */
export type Decide = (decisions: readonly StepDecision[]) => Promise<void>

/** Builds the decision for a rejection; omits an empty reason. */
export function rejection(step: string, reason: string): StepDecision {
  return { step, decision: 'reject', ...(reason === '' ? {} : { reason }) }
}

/** Builds the decision for an approval, with the edited text if it differs from the proposed one. */
export function approval({ id, text }: Pick<ChatStep, 'id' | 'text'>, drafts: Pick<Drafts, 'get'>): StepDecision {
  const edited = drafts.get(editKey(id))
  return { step: id, decision: 'approve', ...(edited === '' || edited === text ? {} : { text: edited }) }
}

/** Stores approvals one by one; clears the draft of a step after it is stored. Rejects with the first failure. */
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
