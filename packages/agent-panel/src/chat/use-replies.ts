import { useCallback, useRef, useState } from 'react'
import { useTexts } from '../language/panel-language.tsx'
import type { PanelTexts } from '../language/texts.ts'
import type { ChatMessage, ChatStep } from '../common/types.ts'
import type { AgentChatOptions } from './use-chat.ts'
import { streamingId } from './use-chat.ts'

/** The parts of a streamed answer: text, and steps; a step is sent again after each change. */
export type ReplyEvent = { type: 'text'; text: string } | { type: 'step'; step: Omit<ChatStep, 'messageId'> }

/** The conversation so far, in the form that most model services accept. */
export type ReplyTurn = { role: 'user' | 'assistant'; content: string }

/**
 * Produces an answer, from any source. The message of an error that it throws is shown, unless `signal` was aborted.
 */
export type Reply = (turns: readonly ReplyTurn[], options: { signal: AbortSignal }) => AsyncIterable<ReplyEvent>

type RepliesOptions = { reply: Reply; agentName: string; personName?: string; texts?: Partial<PanelTexts> | undefined }

/** The props of `AgentPanel` that this hook provides. */
type RepliesState = Pick<
  AgentChatOptions,
  | 'messages'
  | 'steps'
  | 'agentName'
  | 'streamingText'
  | 'isBusy'
  | 'problem'
  | 'onSend'
  | 'onStop'
  | 'onRetry'
  | 'texts'
>

/** Keeps a conversation in memory for an app without its own store; spread the result into `AgentPanel`. */
export function useReplies(options: RepliesOptions): RepliesState {
  const texts = useTexts(options.texts)
  const { reply, agentName, personName = texts.you } = options
  const [messages, setMessages] = useState<readonly ChatMessage[]>([])
  const [steps, setSteps] = useState<readonly ChatStep[]>([])
  const [streamingText, setStreamingText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const going = useRef<AbortController>(undefined)

  const answer = useCallback(
    async (before: readonly ChatMessage[]) => {
      const controller = new AbortController()
      going.current = controller
      setProblem(undefined)
      setStreamingText('')
      let text = ''
      let hasSteps = false
      try {
        for await (const event of reply(toTurns(before), { signal: controller.signal })) {
          if (controller.signal.aborted) break
          if (event.type === 'text') setStreamingText((text += event.text))
          else {
            hasSteps = true
            setSteps((known) => withStep(known, { ...event.step, messageId: streamingId }))
          }
        }
      } catch (error) {
        if (!controller.signal.aborted) setProblem(error instanceof Error ? error.message : texts.noAnswer)
      }
      going.current = undefined
      const id = crypto.randomUUID()
      setSteps((known) => known.map((step) => (step.messageId === streamingId ? { ...step, messageId: id } : step)))
      const label = controller.signal.aborted ? texts.stopped : texts.done
      const run = { tone: controller.signal.aborted ? ('quiet' as const) : ('good' as const), label }
      const said: ChatMessage = { id, author: { id: 'agent', name: agentName, kind: 'agent' }, text, run }
      if (text !== '' || hasSteps || controller.signal.aborted) setMessages((known) => [...known, said])
      setStreamingText(undefined)
    },
    [reply, agentName, texts],
  )

  return {
    messages,
    steps,
    agentName,
    texts: options.texts,
    streamingText,
    problem,
    isBusy: streamingText !== undefined,
    onSend: (text) => {
      if (going.current) throw new Error(texts.answerIncomplete)
      const author = { id: 'person', name: personName, kind: 'person' as const }
      const next = [...messages, { id: crypto.randomUUID(), author, text, at: new Date().toISOString() }]
      setMessages(next)
      void answer(next)
    },
    onStop: () => going.current?.abort(),
    onRetry: () => answer(messages),
  }
}

function toTurns(messages: readonly ChatMessage[]): ReplyTurn[] {
  const said = messages.filter(({ text }) => text !== '')
  return said.map(({ author, text }) => ({ role: author.kind === 'agent' ? 'assistant' : 'user', content: text }))
}

function withStep(steps: readonly ChatStep[], step: ChatStep): readonly ChatStep[] {
  const index = steps.findIndex(({ id, messageId }) => id === step.id && messageId === step.messageId)
  return index < 0 ? [...steps, step] : steps.with(index, step)
}
