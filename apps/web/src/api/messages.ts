import { PostedMessage, type PostMessage } from '@copydesk/protocol'
import { request } from './client.ts'

/** Asks the agent something in the document's chat; the answer arrives in the room document. */
export function postMessage(document: string, message: PostMessage): Promise<PostedMessage> {
  return request(`/documents/${encodeURIComponent(document)}/messages`, PostedMessage, {
    method: 'POST',
    body: message,
  })
}
