import { useEffect, useRef, useState } from 'react'
import { openCalls } from './tool-calls.ts'
import type { ChatBridge, ChatItem, ChatToolCall, ChatToolOutcome, ChatToolResult } from './types.ts'

/** A conversation, and who carries out its tool calls. */
export type ToolCallOptions = {
  /** Oldest first. A tool call belongs to the agent's message before it. */
  messages: readonly ChatItem[]
  /** Carries out tool calls in `messages` that have no result, each once, unless `onToolCall` is given. */
  bridge?: ChatBridge | undefined
  /** Carries out a tool call instead of the bridge. Without an outcome the host adds the result to `messages` itself. */
  onToolCall?:
    | ((call: ChatToolCall, bridge: ChatBridge | undefined) => Promise<ChatToolOutcome | undefined>)
    | undefined
  /** Receives the result of a call that was carried out here, to be added to `messages` and sent to the model. */
  onToolResult?: ((result: ChatToolResult) => void) | undefined
}

/** Carries out the open calls of a conversation, each once, and answers the results so far. */
export function useToolCalls(options: ToolCallOptions): readonly ChatToolResult[] {
  const [results, setResults] = useState<readonly ChatToolResult[]>([])
  const begun = useRef(new Set<string>())
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
    for (const call of openCalls(options.messages)) {
      if (begun.current.has(call.id)) continue
      const outcome = carryOut(call, options)
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

/** The outcome of a call, also of one that throws; undefined if nothing here carries it out. */
function carryOut(call: ChatToolCall, { bridge, onToolCall }: ToolCallOptions) {
  const { id, name, input } = call
  const work = onToolCall ? onToolCall(call, bridge) : bridge?.executeToolCall(name, input, { callId: id })
  return work?.catch((error: unknown): ChatToolOutcome => {
    const summary = error instanceof Error ? error.message : 'It couldn’t be carried out.'
    return { ok: false, summary, text: summary }
  })
}
