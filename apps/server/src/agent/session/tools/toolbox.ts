import { fenceAsData, type ToolCall, type Toolbox, type ToolDefinition, type ToolOutcome } from '@copydesk/agent'
import { Localizable, TextPair } from '@copydesk/protocol'
import {
  createOffer,
  type DocumentSession,
  executeToolCall,
  findTool,
  reasonsToAsk,
  type Tool,
  type ToolResult,
  briefToolSchemas,
} from '@copydesk/tools'
import { z } from 'zod'
import type { DocumentTransactions } from '../../../store/log/document-transactions.ts'
import type { AgentHost } from '../agent-host.ts'
import type { Ticket } from '../document-mutex.ts'
import type { LiveWriting } from '../live-writing.ts'
import type { OutgoingTools } from './offered-tools.ts'
import type { OutsideText } from '../outside-text.ts'
import type { Peer } from '../peer.ts'
import type { Receipts } from '../run-receipts.ts'

const Held = z.object({ proposal: z.array(TextPair), reason: Localizable.optional() })

type Tools = {
  tools: readonly Tool[]
  session: DocumentSession
  host: AgentHost
  peer: Peer
  ticket: Ticket
  receipts: Receipts
  writing: LiveWriting
  writer: Pick<DocumentTransactions, 'idle'>
  outside: Pick<OutsideText, 'noteRead' | 'mayInfluence'>
  outgoing: Pick<OutgoingTools, 'policies'>
}

/**
 * The tools of a run, executed on its document session. A tool that changes the document waits for the run's turn and
 * resolves when the change is on the server's disk.
 */
export function createToolbox(given: Tools): Toolbox {
  const { tools, session, host, peer, ticket, receipts, writing, writer, outside, outgoing } = given
  const offered = createOffer(tools, session)
  return {
    get definitions() {
      return offered().map(toDefinition)
    },
    accepts: (name) => findTool(name, tools) !== undefined,
    async execute(call, { signal, approved = false }) {
      const mustAsk = outgoing.policies.get(call.name) === 'confirm'
      const context = { callId: receipts.receiptKey(call.id), approved, mustAsk, tools }
      const execute = async (): Promise<ToolOutcome> => {
        await host.refresh()
        await writer.idle()
        writing.completed(call.id)
        const result = await executeToolCall(call.name, call.arguments, session, context)
        if (result.ok && findTool(call.name)?.isOutside) outside.noteRead()
        // A change is done when it is on disk and visible to all clients, not when it is in this process's memory.
        await peer.flushed(signal)
        await host.noteResult(result)
        return toOutcome(call, result, outside.mayInfluence)
      }
      if (findTool(call.name, tools)?.changes !== true) return execute()
      return ticket.runExclusive(signal, execute).finally(() => writing.settled())
    },
  }
}

function toDefinition(tool: Tool): ToolDefinition {
  const { name, description } = tool
  return { name, description, inputSchema: briefToolSchemas(tool) }
}

function toOutcome(call: ToolCall, result: ToolResult, isSteered: boolean): ToolOutcome {
  const { ok, text, summary, localizable } = result
  if (!result.ok && result.code === 'held') {
    const read = Held.safeParse(result.details)
    const { proposal: held = [], reason: given } = read.success ? read.data : {}
    // A change of a file always waits for approval; the reason tells people that outside text may have caused it.
    const isForFile = findTool(call.name)?.needs === 'project-writing'
    const reason = given ?? (isForFile && isSteered ? reasonsToAsk.readOutside : undefined)
    return { ok, text, summary, localizable, held, reason }
  }
  const outcome = {
    ok,
    text: fenceAsData(`result of ${call.name}`, text),
    summary,
    localizable,
    details: result.details,
  }
  if (!result.ok)
    return { ...outcome, problem: { message: result.message, hint: result.hint, localizable: result.words } }
  const tool = findTool(call.name)
  return tool?.changes || tool?.needs === 'project-writing' ? outcome : { ...outcome, excerpt: text }
}
