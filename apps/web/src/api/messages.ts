import { PostedMessage, type PostMessage } from '@copydesk/protocol'
import { directoryOf } from '../mentions/people-directory.ts'
import { request } from './client.ts'

/**
 * Sends a message to the agent in the document's chat; the answer arrives in the room document. People named as `@name`
 * are mentioned.
 */
export function postMessage(document: string, message: PostMessage): Promise<PostedMessage> {
  return request(`/documents/${encodeURIComponent(document)}/messages`, PostedMessage, {
    method: 'POST',
    body: { ...message, mentions: directoryOf(document).mentionedIn(message.text) },
  })
}
