import type {
  AgentEvent,
  AgentSink,
  AssistantMessage,
  ToolCall,
  ToolOutcome,
  Usage,
  UserMessage,
} from '../src/contract.ts'

/** Everything that a run reported, in order. */
export type SinkEntry =
  | { kind: 'event'; event: AgentEvent }
  | { kind: 'answer'; message: AssistantMessage; progress: { rounds: number; usage: Usage } }
  | { kind: 'summary'; message: UserMessage; usage: Usage }
  | { kind: 'started'; call: ToolCall }
  | { kind: 'finished'; call: ToolCall; outcome: ToolOutcome }
  | { kind: 'held'; call: ToolCall; outcome: ToolOutcome }

/** A sink that stores all reports. `observe` is called for each entry, before its promise resolves. */
export function createMemorySink(
  observe: (entry: SinkEntry) => void = () => undefined,
): AgentSink & { log: SinkEntry[] } {
  const log: SinkEntry[] = []
  const keep = (entry: SinkEntry): void => {
    log.push(entry)
    observe(entry)
  }
  return {
    log,
    onEvent: (event) => keep({ kind: 'event', event }),
    saveAnswer: async (message, progress) => keep({ kind: 'answer', message, progress }),
    saveSummary: async (message, { usage }) => keep({ kind: 'summary', message, usage }),
    saveStepStarted: async (call) => keep({ kind: 'started', call }),
    saveStepFinished: async (call, outcome) => keep({ kind: 'finished', call, outcome }),
    saveStepHeld: async (call, outcome) => keep({ kind: 'held', call, outcome }),
  }
}
