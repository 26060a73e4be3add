import type { ChatMode } from '@copydesk/agent-panel'
import { AgentMode } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { setAgentMode } from '../api/documents.ts'
import { showError } from '../app/toasts.tsx'
import type { RoomSnapshot } from '../collaboration/room-store.ts'
import { useDocumentSummary } from '../document/use-document-summary.ts'

const options = [
  { value: 'edit', label: 'Edit', description: 'Changes the text at once' },
  { value: 'suggest', label: 'Suggest', description: 'Its changes become suggestions' },
  { value: 'ask', label: 'Ask', description: 'Asks before each change' },
] as const satisfies readonly { value: AgentMode; label: string; description: string }[]

type ChosenMode = { mode: AgentMode; instead: AgentMode }

function isAwaited({ instead }: ChosenMode, current: AgentMode | undefined): boolean {
  return current === instead
}

/** The agent mode of this document, shared by all its users; undefined until it is known. */
export function useAgentMode(document: string, room: RoomSnapshot, canEdit: boolean): ChatMode | undefined {
  const { data: summary } = useDocumentSummary(document)
  // Shows the user's choice immediately, until the room reports it or another user's choice.
  const [chosen, setChosen] = useState<ChosenMode>()
  const change = useMutation({
    mutationFn: (mode: AgentMode) => setAgentMode(document, mode),
    onError(error) {
      setChosen(undefined)
      showError(error)
    },
  })
  // The room reports every change immediately; if the mode was never changed, the summary has it.
  const current = room.settings.agentMode ?? summary?.agentMode
  // Once the room has reported another value it takes precedence, even when it returns to the earlier one.
  if (chosen !== undefined && !isAwaited(chosen, current)) setChosen(undefined)
  if (current === undefined) return undefined
  return {
    value: !canEdit ? 'suggest' : chosen && isAwaited(chosen, current) ? chosen.mode : current,
    options,
    onChange(value) {
      const mode = AgentMode.safeParse(value)
      if (!mode.success) return
      setChosen({ mode: mode.data, instead: current })
      change.mutate(mode.data)
    },
    disabledReason: canEdit ? undefined : 'You can’t edit this document, so the agent suggests for you.',
  }
}
