import { type AgentMode, PostMessage } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { describeError } from '../../api/client.ts'
import { postMessage } from '../../api/runs.ts'
import { readRelativeSelection } from '../../editor/common/positions.ts'
import { sentText, t } from '../../i18n/translate.ts'
import { directoryOf } from '../../mentions/people-directory.ts'
import { firstConversation } from './conversations.ts'

/**
 * The conversation of a message, and the text whose selection is sent with it. Without a mode, the document's mode
 * applies.
 */
type MessagePlace = { document: string; conversation: string; editor: Editor; mode?: AgentMode | undefined }

/**
 * Sends a message with the selection of the text to the agent, in a conversation. Rejects with an error whose message
 * is meant for users.
 */
export async function sendMessage(text: string, place: MessagePlace): Promise<void> {
  const { document, conversation, editor, mode } = place
  const selection = readRelativeSelection(editor.state)
  const parsed = PostMessage.safeParse({
    text,
    ...(selection ? { selection } : {}),
    ...(mode ? { mode } : {}),
    ...(conversation === firstConversation ? {} : { conversation }),
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(sentText(issue?.message ?? '') ?? t('This can’t be sent.'))
  }
  try {
    const mentions = directoryOf(document).mentionedIn(parsed.data.text)
    await postMessage(document, { ...parsed.data, mentions })
  } catch (error) {
    throw new Error(describeError(error), { cause: error })
  }
}
