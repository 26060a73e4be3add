import { PostMessage } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { describeError } from '../api/client.ts'
import { postMessage } from '../api/runs.ts'
import { readRelativeSelection } from '../editor/common/positions.ts'
import { directoryOf } from '../mentions/people-directory.ts'

/**
 * Sends a message with the selection of the text to the agent. Rejects with an error whose message says to users why it
 * wasn't sent.
 */
export async function sendMessage(document: string, text: string, editor: Editor): Promise<void> {
  const selection = readRelativeSelection(editor.state)
  const parsed = PostMessage.safeParse({ text, ...(selection ? { selection } : {}) })
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message ?? 'This can’t be sent.')
  try {
    const mentions = directoryOf(document).mentionedIn(parsed.data.text)
    await postMessage(document, { ...parsed.data, mentions })
  } catch (error) {
    throw new Error(describeError(error), { cause: error })
  }
}
