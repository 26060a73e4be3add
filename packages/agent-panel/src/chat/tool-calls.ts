import { useEffect, useRef, useState } from 'react'
import type { PanelTexts } from '../language/texts.ts'
import type {
  ChatAuthor,
  ChatBridge,
  ChatItem,
  ChatMessage,
  ChatStep,
  ChatToolCall,
  ChatToolOutcome,
  ChatToolResult,
} from '../common/types.ts'

/** A conversation, and the handlers of its tool calls. */
export type ToolCallOptions = {
  /** Oldest first. A tool call belongs to the agent's message before it. */
  messages: readonly ChatItem[]
  /** Executes tool calls in `messages` without a result, each once, unless `onToolCall` is given. */
  bridge?: ChatBridge | undefined
  /**
   * Executes a tool call instead of the bridge. If it returns no outcome, the host adds the result to `messages`
   * itself.
   */
  onToolCall?:
    | ((call: ChatToolCall, bridge: ChatBridge | undefined) => Promise<ChatToolOutcome | undefined>)
    | undefined
  /** Receives the result of a call that was executed here, to be added to `messages` and sent to the model. */
  onToolResult?: ((result: ChatToolResult) => void) | undefined
}

/** The tool calls of a conversation that have no result, oldest first. */
export function openCalls(items: readonly ChatItem[]): ChatToolCall[] {
  const answered = new Set(items.flatMap((item) => (isResult(item) ? [item.callId] : [])))
  return items.filter(isCall).filter(({ id }) => !answered.has(id))
}

/**
 * The messages of a conversation, with its tool calls as their steps: a call belongs to the agent's message before it,
 * or to a separate one after a person's message. `results` are those that are not in the conversation yet.
 */
export function foldToolCalls(
  items: readonly ChatItem[],
  results: readonly ChatToolResult[],
  agentName: string,
  texts: PanelTexts,
): { messages: readonly ChatMessage[]; steps: readonly ChatStep[] } {
  if (items.every(isMessage)) return { messages: items, steps: [] }
  const known = new Map([...results, ...items.filter(isResult)].map((result) => [result.callId, result]))
  const messages: ChatMessage[] = []
  const steps: ChatStep[] = []
  for (const item of items) {
    if (isMessage(item)) messages.push(item)
    if (!isCall(item)) continue
    const last = messages.at(-1)
    const isFirst = last?.author.kind !== 'agent'
    if (isFirst) messages.push({ id: `calls ${item.id}`, author: agentOf(agentName), text: '' })
    const message = messages.at(-1)
    if (!message) continue
    const result = known.get(item.id)
    const isFirstOfMessage = !steps.some(({ messageId }) => messageId === message.id)
    steps.push(stepOf(item, result, message, isFirstOfMessage))
    const run = runOf(message, result, texts)
    if (run !== message.run) messages[messages.length - 1] = { ...message, run }
  }
  return { messages, steps }
}

/** The outcome of a call, also if it throws; undefined if no handler executes it. */
export function executeCall(
  call: ChatToolCall,
  { bridge, onToolCall }: Pick<ToolCallOptions, 'bridge' | 'onToolCall'>,
  texts: PanelTexts,
): Promise<ChatToolOutcome | undefined> | undefined {
  const { id, name, input } = call
  const work = onToolCall ? onToolCall(call, bridge) : bridge?.executeToolCall(name, input, { callId: id })
  return work?.catch((error: unknown): ChatToolOutcome => {
    const summary = error instanceof Error ? error.message : texts.notCarriedOut
    return { ok: false, summary, text: summary }
  })
}

function stepOf(
  { id, name, title }: ChatToolCall,
  result: ChatToolResult | undefined,
  { id: messageId, text }: ChatMessage,
  isFirstOfMessage: boolean,
): ChatStep {
  const step: ChatStep = { id, messageId, tool: name, title: title ?? name.replaceAll('_', ' '), status: 'running' }
  // The text of the message precedes its first call.
  if (isFirstOfMessage && text !== '') step.said = text
  if (!result) return step
  if (result.ok) return { ...step, title: result.summary, status: 'done' }
  return { ...step, status: 'failed', error: { message: result.summary } }
}

function runOf({ run }: ChatMessage, result: ChatToolResult | undefined, texts: PanelTexts): ChatMessage['run'] {
  if (run?.tone === 'going') return run
  if (!result) return { tone: 'going', label: texts.working }
  return run ?? { tone: 'good', label: texts.done }
}

function agentOf(name: string): ChatAuthor {
  return { id: 'agent', name, kind: 'agent' }
}

function isCall(item: ChatItem): item is ChatToolCall {
  return 'type' in item && item.type === 'tool_call'
}

function isResult(item: ChatItem): item is ChatToolResult {
  return 'type' in item && item.type === 'tool_result'
}

function isMessage(item: ChatItem): item is ChatMessage {
  return !('type' in item)
}

/** Executes the open calls of a conversation, each once, and returns the results so far. */
export function useToolCalls(options: ToolCallOptions, texts: PanelTexts): readonly ChatToolResult[] {
  const [results, setResults] = useState<readonly ChatToolResult[]>([])
  const begun = useRef(new Set<string>())
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
    for (const call of openCalls(options.messages)) {
      if (begun.current.has(call.id)) continue
      const outcome = executeCall(call, options, texts)
      if (!outcome) continue
      begun.current.add(call.id)
      void outcome.then((ended) => {
        if (!ended) return
        const result: ChatToolResult = { type: 'tool_result', callId: call.id, ...ended }
        setResults((known) => [...known, result])
        latest.current.onToolResult?.(result)
      })
    }
  })
  return results
}
