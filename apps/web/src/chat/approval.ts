import type { Step } from '@copydesk/protocol'

/** The one text among a call's arguments that a user would want to edit before approving it. */
export type EditableArgument = { name: string; text: string }

const candidates = ['replace', 'replaceWith', 'newText', 'content', 'text'] as const

/** Finds that argument; undefined if the call has none, for example a change of formatting. */
export function editableArgument({ arguments: given }: Pick<Step, 'arguments'>): EditableArgument | undefined {
  for (const name of candidates) {
    const value = given[name]
    if (typeof value === 'string') return { name, text: value }
  }
  return undefined
}

/** The arguments to approve with: undefined when the text is unchanged, so that the agent's own are used. */
export function editedArguments(step: Step, text: string): Record<string, unknown> | undefined {
  const editable = editableArgument(step)
  return editable && editable.text !== text ? { ...step.arguments, [editable.name]: text } : undefined
}

/** Who decided on a call and how, in a sentence; undefined before the decision. */
export function describeApproval({ approval }: Pick<Step, 'approval'>): string | undefined {
  if (!approval) return undefined
  const verb = approval.decision === 'approve' ? 'Approved' : 'Rejected'
  return `${verb} by ${approval.by.name}${approval.reason ? `: ${approval.reason}` : ''}`
}
