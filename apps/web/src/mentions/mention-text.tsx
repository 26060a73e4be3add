import type { Mentioned } from '@copydesk/protocol'
import { use, useMemo, useSyncExternalStore } from 'react'
import { chipHint, chipState } from '../editor/mention/chip-state.ts'
import { mentionParts } from './mention-parts.ts'
import { type RunChips, RunChipsContext } from './run-chips.ts'

type MentionTextProps = {
  text: string
  mentions?: readonly Mentioned[] | undefined
  /** The run that this text started, if any. */
  run?: string | undefined
}

/** The text of a comment or message, with its mentions as chips that look like those in the document. */
export function MentionText({ text, mentions = [], run }: MentionTextProps) {
  const chips = use(RunChipsContext)
  const parts = useMemo(() => mentionParts(text, mentions, run !== undefined), [text, mentions, run])
  return parts.map((part, index) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'agent' && run !== undefined && chips) return <AgentChip key={index} run={run} chips={chips} />
    return (
      <span key={index} className="mention" data-kind={part.kind}>
        {part.text}
      </span>
    )
  })
}

function AgentChip({ run: id, chips }: { run: string; chips: RunChips }) {
  const run = useSyncExternalStore(chips.room.subscribe, () => chips.room.get().runs.get(id))
  const state = chipState({ kind: 'agent', state: 'sent' }, run)
  const hint = chipHint(state)
  const words = (
    <>
      @agent
      {hint && <span className="mention-hint">{hint}</span>}
    </>
  )
  if (!run) {
    return (
      <span className="mention" data-kind="agent">
        {words}
      </span>
    )
  }
  return (
    <button
      type="button"
      aria-haspopup="menu"
      className="mention"
      data-kind="agent"
      data-run-state={state}
      onClick={({ currentTarget }) => chips.menu.set({ run: id, chip: currentTarget })}
    >
      {words}
    </button>
  )
}
