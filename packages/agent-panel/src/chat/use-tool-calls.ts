import { useEffect, useRef, useState } from 'react'
import { carryOut, openCalls, type ToolCallOptions } from './tool-calls.ts'
import type { PanelTexts } from '../language/texts.ts'
import type { ChatToolResult } from '../common/types.ts'

/** Carries out the open calls of a conversation, each once, and answers the results so far. */
export function useToolCalls(options: ToolCallOptions, texts: PanelTexts): readonly ChatToolResult[] {
  const [results, setResults] = useState<readonly ChatToolResult[]>([])
  const begun = useRef(new Set<string>())
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
    for (const call of openCalls(options.messages)) {
      if (begun.current.has(call.id)) continue
      const outcome = carryOut(call, options, texts)
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
