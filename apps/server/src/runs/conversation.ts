import { fenceAsData, type TranscriptMessage } from '@copydesk/agent'
import type { Author, Message } from '@copydesk/protocol'
import type { Threads } from '../review/threads.ts'
import type { RunRow } from '../store/tables.ts'
import type { RunStore } from './run-store.ts'

const remembered = 20

type Said = { author: Author; text: string }

/**
 * What was said before this run's question in the chat, or in the thread of the comment that asked it together with the text that the
 * thread is about, so that "fix the first one" can be understood. A mention in the text starts a conversation of its own.
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
  const before = thread.comments.slice(Math.max(0, asked - remembered), asked)
  const where = thread.orphaned ? ' (it is no longer in the document)' : ''
  const quote = fenceAsData(`the text that the comment thread is about${where}`, thread.quote)
  return [{ role: 'user', text: quote }, ...toTranscript(before, run)]
}

function toTranscript(said: readonly (Said | Message)[], run: RunRow): TranscriptMessage[] {
  return said.filter(({ text }) => text !== '').map((each) => toMessage(each, run.invoked_by))
}

function toMessage({ author, text }: Said, caller: string): TranscriptMessage {
  if (author.kind === 'agent') {
    return { role: 'assistant', text, toolCalls: [], finish: 'stop', provider: 'conversation' }
  }
  if (author.id === caller) return { role: 'user', text }
  // Only the caller says what to do; what others said before is something to know.
  return { role: 'user', text: fenceAsData(`what ${author.name} said before`, text) }
}
