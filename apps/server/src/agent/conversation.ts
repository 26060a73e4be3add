import { fenceAsData, type TranscriptMessage } from '@copydesk/agent'
import type { Author } from '@copydesk/protocol'
import { cutText, type EarlierRun } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import type { Threads } from '../review/threads/threads.ts'
import type { RunRow, Tables } from '../store/tables.ts'
import type { RunStore } from '../runs/run-store.ts'
import { listEarlierRuns } from './session/prompt/earlier-runs.ts'

const remembered = 20
const charactersOfOne = 6_000
const charactersOfAll = 40_000

type ConversationEntry = { author: Author; text: string; apiKey: string | null; run?: string | undefined }

/**
 * The conversation before this run's question, with the agent's changes in those turns: the chat, or the thread of the
 * comment that called the agent, with the quoted text, so that the agent understands "fix the first one". A mention in
 * the text starts a new conversation.
 */
export async function conversationBefore(
  run: RunRow,
  { runs, threads, db }: { runs: RunStore; threads: Threads; db: Kysely<Tables> },
): Promise<TranscriptMessage[]> {
  if (run.trigger_kind !== 'chat' && run.trigger_kind !== 'comment') return []
  const earlier = await listEarlierRuns(db, run)
  const work = new Map(earlier.map((each) => [each.id, describeRunChanges(each)]))
  if (run.trigger_kind === 'comment') return threadBefore(run, threads, work)
  return latest(toTranscript(await runs.chatBefore(run, remembered), run, work))
}

/** The latest messages with at most this total number of characters. */
function latest(messages: readonly TranscriptMessage[]): TranscriptMessage[] {
  let left = charactersOfAll
  const from = messages.findLastIndex(({ text }) => (left -= text.length) < 0)
  return messages.slice(from + 1)
}

type ChangesOfRuns = ReadonlyMap<string, string>

async function threadBefore(run: RunRow, threads: Threads, work: ChangesOfRuns): Promise<TranscriptMessage[]> {
  const thread = await threads.ofComment(run.document, run.trigger_id)
  if (!thread) return []
  const asked = thread.comments.findIndex(({ id }) => id === run.trigger_id)
  const keys = await threads.keysIn(run.document, thread.id)
  const before = thread.comments
    .slice(Math.max(0, asked - remembered), asked)
    .map(({ id, author, text, run: by }) => ({ author, text, apiKey: keys.get(id) ?? null, run: by }))
  const where = thread.orphaned ? ' (it is no longer in the document)' : ''
  const quote = fenceAsData(`the text that the comment thread is about${where}`, cutText(thread.quote, charactersOfOne))
  return [{ role: 'user', text: quote }, ...latest(toTranscript(before, run, work))]
}

function toTranscript(said: readonly ConversationEntry[], run: RunRow, work: ChangesOfRuns): TranscriptMessage[] {
  return said
    .filter(({ text }) => text !== '')
    .flatMap((each) => toMessages({ ...each, text: cutText(each.text, charactersOfOne) }, run, work))
}

function toMessages(said: ConversationEntry, run: RunRow, work: ChangesOfRuns): TranscriptMessage[] {
  if (said.author.kind !== 'agent') return [toQuestion(said, run)]
  const answer: TranscriptMessage = {
    role: 'assistant',
    text: said.text,
    toolCalls: [],
    finish: 'stop',
    provider: 'conversation',
  }
  const changed = said.run === undefined ? undefined : work.get(said.run)
  // The changes come as a user message: the model must not take text of the document for its own words.
  return changed === undefined ? [answer] : [answer, { role: 'user', text: changed }]
}

function toQuestion({ author, text, apiKey }: ConversationEntry, run: RunRow): TranscriptMessage {
  // Only messages that the caller sent with the credential of this run are instructions. Messages of other people, or
  // of the caller with another key, are only information.
  if (author.id === run.invoked_by && apiKey === run.api_key) return { role: 'user', text }
  return { role: 'user', text: fenceAsData(`what ${author.name} said before`, text) }
}

const pairLength = 400
const workLength = 3_000

/** The changes of a run, for later turns of the model: each step with old and new texts, shortened. */
export function describeRunChanges({ number, undone, steps }: EarlierRun): string {
  const lines: string[] = []
  let left = workLength
  for (const step of steps) {
    const state = step.undone ? ' (undone since)' : ''
    const pairs = step.changes.map(({ before, after }) => `  ${quote(before)} → ${quote(after)}`)
    const text = [`step ${step.number}${state}: ${step.summary}`, ...pairs].join('\n')
    if (text.length > left) {
      lines.push('…')
      break
    }
    left -= text.length
    lines.push(text)
  }
  const label = `what you changed in run ${number}${undone ? ', which has been undone since' : ''}`
  return fenceAsData(label, lines.join('\n'))
}

function quote(text: string): string {
  return JSON.stringify(cutText(text, pairLength))
}
