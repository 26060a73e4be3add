import { AgentPanel, type ChatItem, type ChatToolResult } from '@copydesk/agent-panel'
import '@copydesk/agent-panel/styles.css'
import { type AgentChatTools, useAgentChat } from '@copydesk/editor-bridge/react'
import { schemaExtensions } from '@copydesk/schema'
import { Editor, type JSONContent } from '@tiptap/core'
import { UndoRedo } from '@tiptap/extensions'
import { useEffect, useRef, useState } from 'react'

/** What a model says to a conversation: words, and calls of tools. */
export type ModelTurn = { text: string; calls: readonly { id: string; name: string; input: unknown }[] }

/** Asks a model, usually through a server of one's own, which has the key. */
export type Model = (
  conversation: readonly ChatItem[],
  given: { system: string; tools: ReturnType<AgentChatTools['getToolSchemas']> },
) => Promise<ModelTurn>

const agent = { id: 'agent', name: 'Assistant', kind: 'agent' } as const
const person = { id: 'person', name: 'You', kind: 'person' } as const

/** A TipTap editor without Yjs and a panel beside it, in which a model answers and works on the text. */
export function EditorChat({ content, model }: { content: JSONContent; model: Model }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const editor = useEditor(place, content)
  const { bridge, getSystemContext, getToolSchemas } = useAgentChat({ editor, author: agent })
  const [items, setItems] = useState<readonly ChatItem[]>([])
  // Several results can come before the next rendering.
  const latest = useRef(items)
  const update = (next: readonly ChatItem[]): void => setItems((latest.current = next))
  const [isBusy, setBusy] = useState(false)

  const answer = async (conversation: readonly ChatItem[]): Promise<void> => {
    update(conversation)
    setBusy(true)
    try {
      const { text, calls } = await model(conversation, { system: getSystemContext(), tools: getToolSchemas('openai') })
      const said = { id: crypto.randomUUID(), author: agent, text }
      update([...conversation, said, ...calls.map((call) => ({ type: 'tool_call' as const, ...call }))])
    } finally {
      setBusy(false)
    }
  }
  // The model goes on when all calls of its answer have results.
  const take = (result: ChatToolResult): void => {
    const known = [...latest.current, result]
    update(known)
    const results = known.filter((item) => 'type' in item && item.type === 'tool_result')
    const calls = known.filter((item) => 'type' in item && item.type === 'tool_call')
    if (results.length === calls.length) void answer(known)
  }
  return (
    <main style={{ display: 'flex' }}>
      <div ref={setPlace} style={{ flex: 1 }} />
      <AgentPanel
        isOpen
        agentName={agent.name}
        messages={items}
        isBusy={isBusy}
        bridge={bridge}
        onToolResult={take}
        onSend={(text) => answer([...latest.current, { id: crypto.randomUUID(), author: person, text }])}
      />
    </main>
  )
}

function useEditor(element: HTMLElement | null, content: JSONContent): Editor | null {
  const [editor, setEditor] = useState<Editor | null>(null)
  useEffect(() => {
    if (!element) return undefined
    const created = new Editor({ element, extensions: [...schemaExtensions, UndoRedo], content })
    setEditor(created)
    return () => created.destroy()
  }, [element, content])
  return editor
}
