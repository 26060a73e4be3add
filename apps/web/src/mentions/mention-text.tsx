import { handleWord, type Mentioned } from '@copydesk/protocol'
import { AGENT_MENTION } from '@copydesk/schema'
import { use, useMemo, useSyncExternalStore } from 'react'
import { chipHint, chipState, type RunChips, RunChipsContext } from './chip-state.ts'

type MentionTextProps = {
  text: string
  mentions?: readonly Mentioned[] | undefined
  /** The run that this text started, if any. */
  run?: string | undefined
}

/** The text of a comment or message, with its mentions as chips that look like those in the document. */
export function MentionText({ text, mentions = [], run }: MentionTextProps) {
  const chips = use(RunChipsContext)
  const parts = useMemo(() => {
    if (run === undefined) return mentionParts(text, mentions)
    return mentionParts(text, mentions, chips?.room.get().runs.get(run)?.agent?.handle ?? AGENT_MENTION)
  }, [text, mentions, run, chips])
  return parts.map((part, index) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'agent' && run !== undefined && chips) {
      return <AgentChip key={index} word={part.text} run={run} chips={chips} />
    }
    return (
      <span key={index} className="mention" data-kind={part.kind}>
        {part.text}
      </span>
    )
  })
}

function AgentChip({ word, run: id, chips }: { word: string; run: string; chips: RunChips }) {
  const run = useSyncExternalStore(chips.room.subscribe, () => chips.room.get().runs.get(id))
  const state = chipState({ kind: 'agent', state: 'sent' }, run)
  const hint = chipHint(state)
  const words = (
    <>
      {word}
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

/** A part of a text: plain text, the name of a person, or the word that calls the agent. */
type MentionPart = { kind: 'text' | 'agent'; text: string } | { kind: 'person'; text: string; id: string }

/** Splits a text at the people whom it mentions and at the word that calls the agent with this handle. */
export function mentionParts(text: string, mentions: readonly Mentioned[], handle?: string): MentionPart[] {
  const people = mentions.toSorted((a, b) => b.name.length - a.name.length)
  const patterns = [
    ...people.map(({ name }) => String.raw`(?<![\p{L}\p{N}_])@${escape(name)}(?![\p{L}\p{N}_])`),
    ...(handle ? [handleWord(handle)] : []),
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
