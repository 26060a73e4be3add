import {
  catalogue,
  failure,
  type HostAuthor,
  toAnthropicTools,
  toGeminiTools,
  toOpenAITools,
  type ToolCallContext,
  type ToolResult,
} from '@copydesk/tools'
import { useCallback, useEffect, useState } from 'react'
import type { BridgedEditor } from './bridge-session.ts'
import { createEditorBridge, type EditorBridge, type EditorBridgeOptions } from './create-editor-bridge.ts'

/** The editor to work in, null until it exists; `author` and `mode` as for `createEditorBridge`. */
export type UseAgentChatOptions = {
  editor: BridgedEditor | null
  author?: HostAuthor
  mode?: EditorBridgeOptions['mode']
}

const converters = { anthropic: toAnthropicTools, gemini: toGeminiTools, openai: toOpenAITools }

export type ToolSchemasOf<Service extends keyof typeof converters> = ReturnType<(typeof converters)[Service]>

/** The functions that a chat with a model needs of an editor. */
export type AgentChatTools = {
  /** Undefined until the editor exists. */
  bridge: EditorBridge | undefined
  /** Executes a model's tool call in the editor. */
  executeToolCall(name: string, input: unknown, call?: Partial<ToolCallContext>): Promise<ToolResult>
  /** The tools in the form of a service. */
  getToolSchemas<Service extends keyof typeof converters>(service: Service): ToolSchemasOf<Service>
  /** The document in plain text for a system prompt: data, not instructions. */
  getSystemContext(): string
}

/** Opens a bridge over an editor while the component is mounted and the editor is the same. */
export function useAgentChat({ editor, author, mode = 'edit' }: UseAgentChatOptions): AgentChatTools {
  const [bridge, setBridge] = useState<EditorBridge>()
  const { id, name, kind } = author ?? { id: 'agent', name: 'Agent', kind: 'agent' }
  useEffect(() => {
    if (!editor) return undefined
    const opened = createEditorBridge(editor, { id, name, kind }, { mode })
    setBridge(opened)
    return () => {
      opened.close()
      setBridge(undefined)
    }
  }, [editor, id, name, kind, mode])
  const executeToolCall = useCallback<AgentChatTools['executeToolCall']>(
    async (tool, input, call) => bridge?.executeToolCall(tool, input, call) ?? noEditor(),
    [bridge],
  )
  const getToolSchemas = useCallback(
    <Service extends keyof typeof converters>(service: Service) =>
      converters[service](bridge?.tools ?? catalogue) as ToolSchemasOf<Service>,
    [bridge],
  )
  const getSystemContext = useCallback(() => bridge?.getSystemContext() ?? '', [bridge])
  return { bridge, executeToolCall, getToolSchemas, getSystemContext }
}

function noEditor(): ToolResult {
  return failure('unavailable', 'No document is open.', 'Ask the person to open one.')
}
