import { PostMessage, type Selection } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../api/client.ts'
import { postMessage } from '../api/messages.ts'
import { useDraft } from '../app/drafts.ts'
import { MentionField } from '../mentions/mention-field.tsx'
import { MessageBox } from './message-box.tsx'
import { ModeSelect } from './mode-select.tsx'

type ComposerProps = { document: string; canEdit: boolean; readSelection: () => Selection | undefined }

/** Where a message to the agent is written. What was written stays until the server has taken it. */
export function Composer({ document, canEdit, readSelection }: ComposerProps) {
  const [text, setText] = useDraft(`chat ${document}`)
  const [problem, setProblem] = useState<string>()
  const post = useMutation({
    mutationFn: (message: PostMessage) => postMessage(document, message),
    onSuccess: (_posted, message) => setText((now) => (now.trim() === message.text ? '' : now)),
    onError: (error) => setProblem(describeError(error)),
  })
  const send = () => {
    const selection = readSelection()
    const parsed = PostMessage.safeParse({ text, ...(selection ? { selection } : {}) })
    setProblem(parsed.error?.issues[0]?.message)
    if (parsed.success) post.mutate(parsed.data)
  }
  return (
    <div className="shrink-0 border-t border-line p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <MentionField document={document}>
        <MessageBox
          label="Message the agent"
          placeholder="Message the agent"
          text={text}
          onText={setText}
          onSend={send}
          busy={post.isPending}
          problem={problem}
        >
          <ModeSelect document={document} canEdit={canEdit} />
        </MessageBox>
      </MentionField>
    </div>
  )
}
