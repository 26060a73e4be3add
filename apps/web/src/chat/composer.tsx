import { PostMessage, type Selection } from '@copydesk/protocol'
import { useMutation } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { describeError } from '../api/client.ts'
import { postMessage } from '../api/messages.ts'
import { Tooltip } from '../ui/tooltip.tsx'

type ComposerProps = { document: string; readSelection: () => Selection | undefined }

/** Where a message to the agent is written. What was written stays until the server has taken it. */
export function Composer({ document, readSelection }: ComposerProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const post = useMutation({
    mutationFn: (message: PostMessage) => postMessage(document, message),
    onSuccess: (_posted, message) => setText((now) => (now.trim() === message.text ? '' : now)),
    onError: (error) => setProblem(describeError(error)),
  })
  const send = () => {
    if (post.isPending || text.trim() === '') return
    const selection = readSelection()
    const parsed = PostMessage.safeParse({ text, ...(selection ? { selection } : {}) })
    setProblem(parsed.error?.issues[0]?.message)
    if (parsed.success) post.mutate(parsed.data)
  }
  const sendOnEnter = (event: KeyboardEvent) => {
    // Safari ends a composition before its keydown; 229 is what it reports then.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  const growing = useGrowingHeight(text)
  return (
    <div className="shrink-0 border-t border-line p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      {problem && (
        <p role="alert" className="mb-2 text-sm break-words text-danger">
          {problem}
        </p>
      )}
      <div className="flex items-end gap-2 rounded-xl border border-line-strong/70 bg-page p-1.5 focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        <textarea
          ref={growing}
          aria-label="Message the agent"
          placeholder="Message the agent"
          dir="auto"
          rows={1}
          maxLength={20_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendOnEnter}
          className="composer-text min-h-8 flex-1 resize-none bg-transparent px-2 py-1 text-[0.925rem] outline-none"
        />
        <Tooltip text="Send" shortcut="Enter">
          <button
            type="button"
            aria-label="Send"
            disabled={post.isPending || text.trim() === ''}
            onClick={send}
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-hover disabled:text-ink-faint"
          >
            <ArrowUp size={17} aria-hidden />
          </button>
        </Tooltip>
      </div>
    </div>
  )
}

/** Makes a textarea as high as its text in browsers that lack `field-sizing`. */
function useGrowingHeight(text: string): RefObject<HTMLTextAreaElement | null> {
  const element = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (!element.current || CSS.supports('field-sizing', 'content')) return
    element.current.style.height = 'auto'
    element.current.style.height = `${element.current.scrollHeight}px`
  }, [text])
  return element
}
