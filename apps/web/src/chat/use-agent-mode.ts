import type { ChatMode } from '@copydesk/agent-panel'
import { AgentMode } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { setAgentMode } from '../api/documents.ts'
import { showError } from '../app/toasts.tsx'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import { useDocumentSummary } from '../document/use-document-summary.ts'

const options = [
  { value: 'edit', label: 'Edit', description: 'Changes go into the text at once.' },
  { value: 'suggest', label: 'Suggest', description: 'Changes wait in the text to be accepted.' },
  { value: 'ask', label: 'Ask', description: 'Nothing changes before somebody approves.' },
] as const satisfies readonly { value: AgentMode; label: string; description: string }[]

/** How the agent's changes reach the text of this document, for everybody in it; undefined until that is known. */
export function useAgentMode(document: string, room: RoomSnapshot, canEdit: boolean): ChatMode | undefined {
  const { data: summary } = useDocumentSummary(document)
  const change = useMutation({ mutationFn: (mode: AgentMode) => setAgentMode(document, mode), onError: showError })
  // The room tells of every change at once; in a document in which nobody has changed it, it stands in the summary.
  const current = room.settings.agentMode ?? summary?.agentMode
  if (current === undefined) return undefined
  return {
    value: change.isPending ? change.variables : current,
    options,
    onChange(value) {
      const mode = AgentMode.safeParse(value)
      if (mode.success && mode.data !== current) change.mutate(mode.data)
    },
    disabledReason: canEdit ? undefined : 'Only people who can edit this document may change how the agent works.',
  }
}
