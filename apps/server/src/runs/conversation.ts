import { fenceAsData, type TranscriptMessage } from '@copydesk/agent'
import type { Message } from '@copydesk/protocol'
import type { RunRow } from '../store/tables.ts'
import type { RunStore } from './run-store.ts'

const remembered = 20

/**
 * What was said in the chat before this run's question, so that "fix the first one" can be understood. A mention in the
 * text starts a conversation of its own.
 */
export async function conversationBefore(run: RunRow, runs: RunStore): Promise<TranscriptMessage[]> {
  if (run.trigger_kind !== 'chat') return []
  const messages = await runs.messages(run.document, { before: run.trigger_id, limit: remembered })
  return messages.filter(({ text }) => text !== '').map((message) => toTranscript(message, run.invoked_by))
}

function toTranscript(message: Message, caller: string): TranscriptMessage {
  if (message.role === 'agent') {
    return { role: 'assistant', text: message.text, toolCalls: [], finish: 'stop', provider: 'conversation' }
  }
  const isCaller = message.author.id === caller
  if (isCaller) return { role: 'user', text: message.text }
  // Only the caller says what to do; what others said before is something to know.
  return { role: 'user', text: fenceAsData(`what ${message.author.name} asked before`, message.text) }
}
