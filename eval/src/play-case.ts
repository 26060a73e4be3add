import {
  type AgentOutcome,
  type AgentSink,
  fenceAsData,
  type ModelProvider,
  runAgent,
  type Toolbox,
  type TranscriptMessage,
} from '@copydesk/agent'
import { createSystemPrompt } from '@copydesk/server/prompt'
import {
  catalogue,
  createOffer,
  documentInfo,
  excerptDocument,
  type DocumentSession,
  executeToolCall,
  findTool,
  summarizeOutline,
  type Tool,
  briefToolSchemas,
} from '@copydesk/tools'
import type { EvalCase, Turn } from './eval-case.ts'
import type { Outcome } from './outcome.ts'
import { openScene } from './scene.ts'

/** The limits of each run, as the server has them, and how to wait between attempts. */
export type PlayOptions = {
  maxRounds: number
  tokenLimit: number
  timeoutMs: number
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
}

const caller = 'Ada'

/**
 * Plays a case from its first run to its last through the real loop, prompt and tools; `modelFor` names the model for
 * each run. What a model or its service does becomes the outcome. Rejects only if the case itself is wrong or a tool
 * breaks.
 */
export async function playCase(
  given: EvalCase,
  modelFor: (turn: Turn) => ModelProvider,
  options: PlayOptions,
): Promise<Outcome> {
  const scene = await openScene(given)
  try {
    const before = scene.state()
    const transcript: TranscriptMessage[] = []
    const calls: { tool: string; ok: boolean }[] = []
    let last: AgentOutcome | undefined
    for (const [index, turn] of [...(given.earlier ?? []), given].entries()) {
      calls.length = 0
      transcript.push({ role: 'user', text: turn.ask })
      const tools = catalogue.filter((tool) => given.canChange !== false || !tool.changes)
      last = await runAgent({
        provider: modelFor(turn),
        toolbox: createToolbox(tools, scene.session, `run-${index}`, calls),
        system: systemPrompt(given, tools, scene.session),
        transcript,
        maxRounds: options.maxRounds,
        tokenLimit: options.tokenLimit,
        signal: AbortSignal.timeout(options.timeoutMs),
        sink: silentSink,
        wait: options.wait,
        random: options.random,
      })
      // As in the chat: a later run knows what was said, not which tools were called.
      const { answer: text } = last
      transcript.push({ role: 'assistant', text, toolCalls: [], finish: 'stop', provider: 'conversation' })
    }
    return { before, after: scene.state(), answer: last?.answer ?? '', status: statusOf(last), calls }
  } finally {
    scene.close()
  }
}

/** What is wrong with an outcome: the run itself failed, or the case's check says so; `undefined` if it passed. */
export function judge(given: EvalCase, outcome: Outcome): string | undefined {
  if (outcome.status !== 'completed') return `the run ended as ${outcome.status}`
  return given.check(outcome)
}

const silentSink: AgentSink = {
  onEvent: () => undefined,
  saveAnswer: async () => undefined,
  saveStepStarted: async () => undefined,
  saveStepFinished: async () => undefined,
  saveStepHeld: async () => undefined,
}

function createToolbox(
  tools: readonly Tool[],
  session: DocumentSession,
  run: string,
  calls: { tool: string; ok: boolean }[],
): Toolbox {
  const offered = createOffer(tools, session)
  return {
    get definitions() {
      return offered().map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: briefToolSchemas(tool),
      }))
    },
    accepts: (name) => findTool(name, tools) !== undefined,
    async execute(call) {
      const context = { callId: `${run}:${call.id}`, tools }
      const { ok, text, summary, details } = await executeToolCall(call.name, call.arguments, session, context)
      calls.push({ tool: call.name, ok })
      return { ok, text: fenceAsData(`result of ${call.name}`, text), summary, details }
    },
  }
}

// The same as a run on the server gets.
function systemPrompt({ mode = 'edit' }: EvalCase, tools: readonly Tool[], session: DocumentSession): string {
  const described = documentInfo(session)
  if (!described.ok) throw new Error(described.text)
  const { info } = described
  const outline = summarizeOutline(session)
  const excerpt = excerptDocument(session, undefined)
  return createSystemPrompt({
    title: info.title,
    caller,
    present: [],
    mode,
    outline: outline.ok ? outline.headings : [],
    frontmatterKeys: info.frontmatterKeys,
    missingTools: catalogue
      .filter((tool) => !tools.includes(tool))
      .map(({ name }) => ({ name, reason: 'the person who called you may not change this document' })),
    ...(info.selection ? { selection: info.selection } : {}),
    review: { threads: session.host?.threads().length ?? 0, hasChanges: session.hasChanges() },
    ...(excerpt.ok ? { excerpt: excerpt.excerpt } : {}),
    size: { blocks: info.blocks, words: info.words },
  })
}

function statusOf(outcome: AgentOutcome | undefined): string {
  if (!outcome) return 'failed'
  return outcome.error ? `${outcome.status} (${outcome.error.code}: ${outcome.error.message})` : outcome.status
}
