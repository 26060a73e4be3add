import { type AgentOutcome, runAgent } from '@copydesk/agent'
import { createMemorySink, type MemoryToolbox } from '@copydesk/agent/testing'
import { createBuiltinProvider } from '../src/builtin-provider.ts'

/** Plays an instruction with the tools of `toolbox`; `system` is the prompt of the run. */
export async function playCommand(instruction: string, toolbox: MemoryToolbox, system = ''): Promise<AgentOutcome> {
  return runAgent({
    provider: createBuiltinProvider(),
    toolbox,
    system,
    transcript: [{ role: 'user', text: instruction }],
    maxRounds: 8,
    tokenLimit: 1_000,
    signal: new AbortController().signal,
    sink: createMemorySink(),
    wait: async () => undefined,
    random: () => 0,
  })
}
