import { PostedMessage, type PostMessage } from '@copydesk/protocol'
import { request, send } from './client.ts'

/** Asks the agent something in the document's chat; the answer arrives in the room document. */
export function postMessage(document: string, message: PostMessage): Promise<PostedMessage> {
  return request(`/documents/${encodeURIComponent(document)}/messages`, PostedMessage, {
    method: 'POST',
    body: message,
  })
}

/** Stops a run. It is over once the room document says so, not when this resolves. */
export async function stopRun(document: string, run: string): Promise<void> {
  await send(`/documents/${encodeURIComponent(document)}/runs/${encodeURIComponent(run)}/stop`, { method: 'POST' })
}
