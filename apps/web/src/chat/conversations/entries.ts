import type { Author, Message, Run } from '@copydesk/protocol'
import type { RoomSnapshot } from '../../collaboration/room-store.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'

/** One entry of the conversation: a message, or a run with its steps and answer. */
export type Entry =
  | { kind: 'message'; key: string; message: Message }
  | {
      kind: 'run'
      key: string
      run: Run
      answer: string
      streaming: boolean
      asked: { by: Author; how: string; text: string } | null
    }

const askedHow: Record<Run['trigger']['kind'], EnglishText> = {
  chat: 'asked',
  mention: 'asked in the text',
  comment: 'asked in a comment',
  api: 'connected an agent',
  schedule: 'set up to begin by itself',
  document: 'set up to begin by itself',
}

/**
 * The conversation in order. A run is below the message that started it and includes the agent's answer; a run that was
 * started elsewhere is placed by its time and names the user who started it.
 */
export function readEntries({ messages, runs }: Pick<RoomSnapshot, 'messages' | 'runs'>): Entry[] {
  const answers = new Map<string, Message>()
  for (const message of messages) {
    if (message.role === 'agent' && message.run !== undefined && runs.has(message.run))
      answers.set(message.run, message)
  }
  const runsByMessage = new Map<string, Run>()
  const messageIds = new Set(messages.map(({ id }) => id))
  const elsewhere: Run[] = []
  for (const run of runs.values()) {
    if (run.trigger.kind === 'chat' && messageIds.has(run.trigger.id)) runsByMessage.set(run.trigger.id, run)
    else elsewhere.push(run)
  }
  elsewhere.sort((a, b) => compare(a.createdAt, b.createdAt))

  const entries: Entry[] = []
  let next = 0
  const asAsked = (run: Run) => runEntry(run, answers.get(run.id), true)
  for (const message of messages) {
    if (message.run !== undefined && answers.get(message.run) === message) continue
    for (let run = elsewhere[next]; run && run.createdAt < message.createdAt; run = elsewhere[next]) {
      entries.push(asAsked(run))
      next += 1
    }
    entries.push({ kind: 'message', key: message.id, message })
    const run = runsByMessage.get(message.id)
    if (run) entries.push(runEntry(run, answers.get(run.id), false))
  }
  return [...entries, ...elsewhere.slice(next).map(asAsked)]
}

function runEntry(run: Run, message: Message | undefined, asked: boolean): Entry {
  return {
    kind: 'run',
    key: `run:${run.id}`,
    run,
    answer: message?.text || run.answer || '',
    streaming: message?.status === 'streaming',
    asked: asked ? { by: run.invokedBy, how: t(askedHow[run.trigger.kind]), text: run.instruction } : null,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
