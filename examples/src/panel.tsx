import { AgentPanel, type Reply, useReplies } from '@copydesk/agent-panel'
import '@copydesk/agent-panel/styles.css'
import { useState } from 'react'
import { fromEventStream } from './server-sent-replies.ts'

const reply: Reply = async function* (turns, { signal }) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('/chat', { method: 'POST', headers, body: JSON.stringify({ turns }), signal })
  if (!response.ok || !response.body) throw new Error('The server gave no answer. Try again.')
  yield* fromEventStream(response.body)
}

/** A panel beside an app of one's own, with a server that answers `POST /chat`. */
export function Chat() {
  const [isOpen, setOpen] = useState(true)
  const chat = useReplies({ reply, agentName: 'Assistant' })
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Assistant
      </button>
      <AgentPanel {...chat} isOpen={isOpen} onClose={() => setOpen(false)} width={360} />
    </>
  )
}
