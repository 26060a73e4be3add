import { AgentMode } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setAgentMode } from '../api/documents.ts'
import { showError } from '../app/toasts.tsx'
import { documentKey, useDocumentSummary } from '../document/use-document-summary.ts'

const names: Record<AgentMode, string> = {
  edit: 'edits the text',
  suggest: 'suggests changes',
  ask: 'asks first',
}

/** How the agent's changes reach the text of this document, for everybody in it. */
export function ModeSelect({ document, canEdit }: { document: string; canEdit: boolean }) {
  const { data } = useDocumentSummary(document)
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (mode: AgentMode) => setAgentMode(document, mode),
    onSuccess: (summary) => queryClient.setQueryData(documentKey(document), summary),
    onError: showError,
  })
  if (!data) return <div aria-hidden className="mt-1.5 h-7" />
  const shown = change.isPending ? change.variables : data.agentMode
  return (
    <label className="mt-1.5 flex h-7 w-fit items-center ps-2 text-xs text-ink-soft">
      The agent
      <select
        value={shown}
        disabled={!canEdit}
        onChange={(event) => {
          const mode = AgentMode.safeParse(event.target.value)
          if (mode.success) change.mutate(mode.data)
        }}
        className="h-full rounded-md border border-transparent bg-transparent px-0.5 font-medium hover:bg-hover disabled:opacity-60"
      >
        {AgentMode.options.map((mode) => (
          <option key={mode} value={mode}>
            {names[mode]}
          </option>
        ))}
      </select>
    </label>
  )
}
