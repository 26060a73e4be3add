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
import { describeRunChanges } from '@copydesk/server/work'
import {
  catalogue,
  createOffer,
  documentInfo,
  excerptDocument,
  type DocumentView,
  executeToolCall,
  findTool,
  summarizeOutline,
  type Tool,
  briefToolSchemas,
} from '@copydesk/tools'
import type { EvalCase, Turn } from './eval-case.ts'
import type { MadeCall, Outcome } from './outcome.ts'
import { openScene, type RunScene } from './scene.ts'

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
    let last: { outcome: AgentOutcome; calls: readonly MadeCall[] } | undefined
    for (const [index, turn] of [...(given.earlier ?? []), given].entries()) {
      transcript.push({ role: 'user', text: turn.ask })
      const run = scene.openRun(turn)
      try {
        run.history.begin(caller, turn.ask)
        last = await playRun({ given, run, id: `run-${index}`, transcript }, modelFor(turn), options)
      } finally {
        run.end()
      }
      // As in the chat: a later run knows what was said and what was changed, not which tools were called.
      const { answer: text } = last.outcome
      transcript.push({ role: 'assistant', text, toolCalls: [], finish: 'stop', provider: 'conversation' })
      const changed = run.history.changed()
      if (changed) transcript.push({ role: 'user', text: describeRunChanges(changed) })
    }
    const { outcome, calls = [] } = last ?? {}
    const { wrote } = scene
    const answer = outcome?.answer ?? ''
    return { before, after: scene.state(), answer, status: statusOf(outcome), wrote, outside: scene.outside(), calls }
  } finally {
    await scene.close()
  }
}

type Run = { given: EvalCase; run: RunScene; id: string; transcript: TranscriptMessage[] }

async function playRun(
  { given, run, id, transcript }: Run,
  provider: ModelProvider,
  options: PlayOptions,
): Promise<{ outcome: AgentOutcome; calls: readonly MadeCall[] }> {
  const tools = catalogue.filter(
    ({ name, changes, needs }) =>
      (given.agent?.tools?.includes(name) ?? true) &&
      (given.canChange !== false || !changes) &&
      (given.files !== undefined || needs?.startsWith('project') !== true),
  )
  const calls: MadeCall[] = []
  const outcome = await runAgent({
    provider,
    toolbox: createToolbox(tools, run, id, calls),
    system: systemPrompt(given, tools, run),
    transcript: [...transcript],
    maxRounds: options.maxRounds,
    tokenLimit: options.tokenLimit,
    signal: AbortSignal.timeout(options.timeoutMs),
    sink: silentSink,
    wait: options.wait,
    random: options.random,
  })
  return { outcome, calls }
}

/** What is wrong with an outcome: the run itself failed, or the case's check says so; `undefined` if it passed. */
export function checkOutcome(given: EvalCase, outcome: Outcome): string | undefined {
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

function createToolbox(tools: readonly Tool[], run: RunScene, id: string, calls: MadeCall[]): Toolbox {
  const { session } = run
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
      const index = calls.length
      run.beforeCall(index)
      const context = { callId: `${id}:${call.id}`, tools }
      const first = await executeToolCall(call.name, call.arguments, session, context)
      // A person approves what is proposed for files.
      const isProposed = !first.ok && first.code === 'held' && findTool(call.name)?.needs === 'project-writing'
      const approved = { ...context, approved: true }
      const result = isProposed ? await executeToolCall(call.name, call.arguments, session, approved) : first
      run.afterCall(index, result)
      const { ok, text, summary, details } = result
      calls.push({ tool: call.name, ok, text, ...(result.ok ? {} : { code: result.code }) })
      return { ok, text: fenceAsData(`result of ${call.name}`, text), summary, details }
    },
  }
}

// The same as a run on the server gets.
function systemPrompt(
  { mode = 'edit', agent }: EvalCase,
  tools: readonly Tool[],
  { session, place }: RunScene,
): string {
  const described = documentInfo(session)
  if (!described.ok) throw new Error(described.text)
  const { info } = described
  const block = focusOf({ session, place })
  const outline = summarizeOutline(session)
  const excerpt = excerptDocument(session, block)
  return createSystemPrompt({
    title: info.title,
    agent,
    caller,
    present: [],
    mode,
    outline: outline.ok ? outline.headings : [],
    frontmatterKeys: info.frontmatterKeys,
    missingTools: catalogue
      .filter((tool) => !tools.includes(tool))
      .map(({ name, needs }) =>
        needs?.startsWith('project') ? { name, variable: 'PROJECT_DIR' } : { name, reason: whyMissing(name, agent) },
      ),
    readsWeb: session.host?.web !== undefined,
    hasProject: session.host?.project !== undefined,
    writesFiles: session.host?.project?.writing !== undefined,
    ...(place ? { calledFrom: { kind: place.kind, block: block && session.show(block) } } : {}),
    ...(info.selection ? { selection: info.selection } : {}),
    review: { threads: session.host?.threads().length ?? 0, hasChanges: session.hasChanges() },
    ...(excerpt.ok ? { excerpt: excerpt.excerpt } : {}),
    size: { blocks: info.blocks, words: info.words },
  })
}

function whyMissing(tool: string, agent: EvalCase['agent']): string {
  if (agent?.tools?.includes(tool) === false) return 'you have been set up without it'
  return 'the person who called you may not change this document'
}

// The block of the mention or comment, else the one in which the selection or the caret is.
function focusOf({ session, place }: Pick<RunScene, 'session' | 'place'>): ReturnType<DocumentView['blockAt']> {
  const read = session.view()
  const pos = place?.pos ?? session.selection()?.from
  return read.ok && pos !== undefined ? read.view.blockAt(pos) : undefined
}

function statusOf(outcome: AgentOutcome | undefined): string {
  if (!outcome) return 'failed'
  return outcome.error ? `${outcome.status} (${outcome.error.code}: ${outcome.error.message})` : outcome.status
}
