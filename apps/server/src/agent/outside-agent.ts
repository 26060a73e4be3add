import type { AssistantMessage, ModelProvider, ToolCall } from '@copydesk/agent'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Signals } from '../common/signals.ts'
import { callsOfRun, closingTool } from '../runs/outside-runs.ts'
import type { RunRow, Tables } from '../store/tables.ts'

/** The time limit of such a run in milliseconds; it mostly waits. Its token is valid for longer. */
export const outsideRunMs = 12 * 60 * 60_000

const idleMinutes = 10
const callLimitText = `Made ${callsOfRun} calls; what follows is in a new entry.`

type OutsideAgentDeps = { db: Kysely<Tables>; signals: Signals; idleMs?: number }

const Arguments = z.record(z.string(), z.unknown())
const CloseArguments = z.object({ summary: z.string().trim().min(1) })

type NextCalls = { calls: ToolCall[] } | { left: string }

/**
 * A model provider that represents an agent of another program: its answers are the agent's calls over MCP, which are
 * stored as rows of the run. So the run is executed, recorded, approved, stopped, resumed and undone like every other
 * run. The run ends when the agent ends it, or after ten minutes without a call (`idleMs`).
 */
export function createOutsideAgent(run: Pick<RunRow, 'id'>, deps: OutsideAgentDeps): ModelProvider {
  return {
    id: 'mcp',
    model: 'mcp',
    async *stream({ messages, tools }, { signal }) {
      const made = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
      const isFull = tools.length === 0 || made.length >= callsOfRun
      const outcome = isFull ? { left: callLimitText } : await nextCalls(run.id, made.length, signal, deps)
      yield { type: 'done', message: toAnswer(outcome), usage: { inputTokens: 0, outputTokens: 0 } }
    },
  }
}

function toAnswer(outcome: NextCalls): AssistantMessage {
  const isOver = 'left' in outcome
  return {
    role: 'assistant',
    text: isOver ? outcome.left : '',
    toolCalls: isOver ? [] : outcome.calls,
    finish: isOver ? 'stop' : 'tool_calls',
    provider: 'mcp',
  }
}

/** Waits for calls from `position` on. Rejects when the signal is aborted. */
async function nextCalls(
  run: string,
  position: number,
  signal: AbortSignal,
  deps: OutsideAgentDeps,
): Promise<NextCalls> {
  const { signals, idleMs = idleMinutes * 60_000 } = deps
  const found = Promise.withResolvers<NextCalls>()
  const poll = (): void => {
    readCalls(run, position, deps).then((outcome) => {
      if (outcome) found.resolve(outcome)
    }, found.reject)
  }
  const abort = (): void => found.reject(new DOMException('the run was ended', 'AbortError'))
  const unsubscribe = signals.subscribe((each) => {
    if (each.kind === 'run-called' && each.run === run) poll()
  })
  const timer = setTimeout(() => {
    found.resolve({ left: `Left the document: no call came for ${idleMinutes} minutes.` })
  }, idleMs)
  signal.addEventListener('abort', abort)
  try {
    if (signal.aborted) abort()
    poll()
    return await found.promise
  } finally {
    clearTimeout(timer)
    unsubscribe()
    signal.removeEventListener('abort', abort)
  }
}

async function readCalls(run: string, position: number, { db }: OutsideAgentDeps): Promise<NextCalls | undefined> {
  const rows = await db
    .selectFrom('run_calls')
    .select(['id', 'tool', 'arguments'])
    .where('run', '=', run)
    .where('position', '>=', position)
    .orderBy('position')
    .execute()
  const [first] = rows
  if (!first) return undefined
  if (first.tool === closingTool) {
    const leaving = CloseArguments.safeParse(JSON.parse(first.arguments))
    return { left: leaving.success ? leaving.data.summary : 'Left the document.' }
  }
  const end = rows.findIndex(({ tool }) => tool === closingTool)
  const calls = end < 0 ? rows : rows.slice(0, end)
  return {
    calls: calls.map((row) => ({ id: row.id, name: row.tool, arguments: Arguments.parse(JSON.parse(row.arguments)) })),
  }
}
