import { useCallback, useMemo, useState } from 'react'
import { createDrafts, type Drafts } from '../common/drafts.ts'
import { useTexts } from '../language/panel-language.tsx'
import type { PanelTexts } from '../language/texts.ts'
import { foldToolCalls, type ToolCallOptions, useToolCalls } from './tool-calls.ts'
import type { ChatAuthor, ChatMessage, ChatRun, ChatStep, StepDecision } from '../common/types.ts'

/** The data and callbacks of a chat with an agent, independent of their source. */
export type AgentChatOptions = ToolCallOptions & {
  /** The agent's steps, in order; each belongs to a message. */
  steps?: readonly ChatStep[]
  /** "Agent" by default. */
  agentName?: string
  /** The text that the agent is streaming, as Markdown, until `messages` contains it; undefined if there is none. */
  streamingText?: string | undefined
  /** Whether an answer is in progress that `messages` doesn't contain yet. */
  isBusy?: boolean
  /**
   * Whether the host can send, true by default. When it becomes true again, the reason why a message wasn't sent
   * disappears.
   */
  isConnected?: boolean
  /** Sends a message. If it rejects, the text is kept and the error's message is shown. */
  onSend: (text: string) => void | Promise<void>
  onStop?: (() => void | Promise<void>) | undefined
  /** Asks again after a failure. */
  onRetry?: (() => void | Promise<void>) | undefined
  /** Stores decisions on waiting steps. */
  onDecide?: ((decisions: readonly StepDecision[]) => void | Promise<void>) | undefined
  /** Why the last answer failed, in plain words. */
  problem?: string | undefined
  drafts?: Drafts
  /** Texts that replace the English ones. */
  texts?: Partial<PanelTexts> | undefined
}

/** A message of the conversation with its steps. */
export type ChatEntry = { message: ChatMessage; steps: readonly ChatStep[] }

/**
 * The state of a chat for rendering. `send` resolves to whether the message was accepted; `sendProblem` is the reason
 * if not.
 */
export type AgentChat = {
  entries: readonly ChatEntry[]
  drafts: Drafts
  isSending: boolean
  sendProblem: string | undefined
  send: (text: string) => Promise<boolean>
  decide: (decisions: readonly StepDecision[]) => Promise<void>
}

const none: readonly ChatStep[] = []
/** The id of the placeholder message for an answer in progress. */
export const streamingId = 'streaming'

/**
 * Combines messages, steps and the streamed text, and handles sending. Used by `AgentPanel`; custom interfaces may use
 * it too.
 */
export function useChat(options: AgentChatOptions): AgentChat {
  const texts = useTexts(options.texts)
  const {
    messages,
    steps = none,
    agentName = texts.agent,
    streamingText,
    isBusy = false,
    isConnected = true,
    problem,
    onSend,
    onStop,
    onRetry,
    onDecide,
  } = options
  const [ownDrafts] = useState(createDrafts)
  const [isSending, setSending] = useState(false)
  const [sendProblem, setSendProblem] = useState<string>()
  const [wasConnected, setConnected] = useState(isConnected)
  if (wasConnected !== isConnected) {
    setConnected(isConnected)
    if (isConnected) setSendProblem(undefined)
  }
  const results = useToolCalls(options, texts)
  const entries = useMemo(() => {
    const going = pendingMessage({ texts, agentName, streamingText, isBusy, problem, onStop, onRetry })
    const folded = foldToolCalls(messages, results, agentName, texts)
    return readEntries(going ? [...folded.messages, going] : folded.messages, [...folded.steps, ...steps])
  }, [messages, results, steps, texts, agentName, streamingText, isBusy, problem, onStop, onRetry])
  const send = async (text: string): Promise<boolean> => {
    setSending(true)
    setSendProblem(undefined)
    try {
      await onSend(text)
      return true
    } catch (error) {
      setSendProblem(error instanceof Error ? error.message : texts.notSent)
      return false
    } finally {
      setSending(false)
    }
  }
  const decide = useCallback(
    async (decisions: readonly StepDecision[]) => {
      await onDecide?.(decisions)
    },
    [onDecide],
  )
  return { entries, drafts: options.drafts ?? ownDrafts, isSending, sendProblem, send, decide }
}

/** Assigns steps to their messages. Omits steps of missing messages. */
export function readEntries(messages: readonly ChatMessage[], steps: readonly ChatStep[]): ChatEntry[] {
  const byMessage = new Map<string, ChatStep[]>()
  for (const step of steps) {
    const list = byMessage.get(step.messageId)
    if (list) list.push(step)
    else byMessage.set(step.messageId, [step])
  }
  return messages.map((message) => ({ message, steps: byMessage.get(message.id) ?? none }))
}

type PendingOptions = { texts: PanelTexts; agentName: string } & Pick<
  AgentChatOptions,
  'streamingText' | 'isBusy' | 'problem' | 'onStop' | 'onRetry'
>

function pendingMessage({
  texts,
  agentName,
  streamingText,
  isBusy,
  problem,
  onStop,
  onRetry,
}: PendingOptions): ChatMessage | undefined {
  const isGoing = isBusy === true || streamingText !== undefined
  if (!isGoing && problem === undefined) return undefined
  const author: ChatAuthor = { id: 'agent', name: agentName, kind: 'agent' }
  const stop = onStop && { id: 'stop', label: texts.stop, icon: 'stop' as const, run: onStop }
  const retry = onRetry && { id: 'retry', label: texts.tryAgain, icon: 'retry' as const, run: onRetry }
  const run: ChatRun = isGoing
    ? { tone: 'going', label: streamingText ? texts.writing : texts.thinking, stop }
    : { tone: 'problem', label: texts.failed, problem, actions: retry ? [retry] : [] }
  return { id: streamingId, author, text: streamingText ?? '', run }
}
