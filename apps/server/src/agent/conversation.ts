import { fenceAsData, type TranscriptMessage } from '@copydesk/agent'
import type { Author } from '@copydesk/protocol'
import type { Threads } from '../review/threads/threads.ts'
import type { RunRow } from '../store/tables.ts'
import type { RunStore } from '../runs/run-store.ts'

const remembered = 20

type Said = { author: Author; text: string; apiKey: string | null }

/**
 * What was said before this run's question: in the chat, or in the thread of the comment that asked it, together with
 * the text of the thread, so that the agent understands "fix the first one". A mention in the text starts a
 * conversation of its own.
 */
export async function conversationBefore(
  run: RunRow,
  { runs, threads }: { runs: RunStore; threads: Threads },
): Promise<TranscriptMessage[]> {
  switch (run.trigger_kind) {
    case 'chat':
      return toTranscript(await runs.chatBefore(run, remembered), run)
    case 'comment':
      return threadBefore(run, threads)
    default:
      return []
  }
}

async function threadBefore(run: RunRow, threads: Threads): Promise<TranscriptMessage[]> {
  const thread = await threads.ofComment(run.document, run.trigger_id)
  if (!thread) return []
  const asked = thread.comments.findIndex(({ id }) => id === run.trigger_id)
  const keys = await threads.keysIn(run.document, thread.id)
  const before = thread.comments
    .slice(Math.max(0, asked - remembered), asked)
    .map(({ id, author, text }) => ({ author, text, apiKey: keys.get(id) ?? null }))
  const where = thread.orphaned ? ' (it is no longer in the document)' : ''
  const quote = fenceAsData(`the text that the comment thread is about${where}`, thread.quote)
  return [{ role: 'user', text: quote }, ...toTranscript(before, run)]
}

function toTranscript(said: readonly Said[], run: RunRow): TranscriptMessage[] {
  return said.filter(({ text }) => text !== '').map((each) => toMessage(each, run))
}

function toMessage({ author, text, apiKey }: Said, run: RunRow): TranscriptMessage {
  if (author.kind === 'agent') {
    return { role: 'assistant', text, toolCalls: [], finish: 'stop', provider: 'conversation' }
  }
  // Only what the caller said with the credential of this run is an instruction. What others said before, or the caller
  // with another key, is only information.
  if (author.id === run.invoked_by && apiKey === run.api_key) return { role: 'user', text }
  return { role: 'user', text: fenceAsData(`what ${author.name} said before`, text) }
}
