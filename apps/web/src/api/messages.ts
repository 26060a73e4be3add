import { PostedMessage, type PostMessage } from '@copydesk/protocol'
import { directoryOf } from '../mentions/people-directory.ts'
import { request } from './client.ts'

/** Asks the agent something in the document's chat; the answer arrives in the room document. Whom it names as `@name` is mentioned. */
export function postMessage(document: string, message: PostMessage): Promise<PostedMessage> {
  return request(`/documents/${encodeURIComponent(document)}/messages`, PostedMessage, {
    method: 'POST',
    body: { ...message, mentions: directoryOf(document).mentionedIn(message.text) },
  })
}
