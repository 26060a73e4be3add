import type { AgentMode } from '@copydesk/protocol'
import { RequestError, orThrow } from '../common/errors.ts'
import { allows } from '../common/identity.ts'
import type { CallState, OutsideCall } from '../runs/outside-runs.ts'
import type { McpCaller, McpDeps } from './mcp-caller.ts'

/** A tool's result as text for a model. */
export type ToolAnswer = { text: string; isError?: boolean }

/** `signal` ends the wait for a result early; `onWaiting` is called repeatedly during a long wait. */
export type Waiting = { signal: AbortSignal; onWaiting: () => void }

// A run may end just before it takes a call; then the agent continues in a new run.
const attempts = 3
const progressReports = 6

/**
 * Executes a call in the caller's run in a document. The rights are looked up for each call.
 * @throws RequestError if the caller may not open the document, was stopped there, or is over a limit.
 */
export async function callInDocument(
  document: string,
  call: OutsideCall,
  waiting: Waiting,
  caller: McpCaller,
  deps: McpDeps,
): Promise<ToolAnswer> {
  const { agent } = caller
  for (let attempt = 0; attempt < attempts; attempt++) {
    const access = await caller.access(document)
    if (!access) throw noDocument()
    orThrow(await deps.room(document, { actor: agent.user.id, run: null }))
    // Callers without write access suggest.
    const mode = allows(access, 'write') ? await modeOf(document, agent.user.id, deps) : 'suggest'
    const made = await deps.outside.call(agent, { document, access, mode }, call)
    const state = await waitFor(made, document, waiting, deps)
    const isOver = state.kind === 'ended' && (state.status === 'completed' || state.status === 'limit_reached')
    if (!isOver || state.taken) return describe(state, made.call)
  }
  throw new RequestError('unavailable', 'The document could not be opened.', 'Try again in a moment.')
}

/** The result of an earlier call of the caller, if it is available by now. @throws RequestError as `callInDocument`. */
export async function waitForCall(
  document: string,
  call: string,
  waiting: Waiting,
  caller: McpCaller,
  deps: McpDeps,
): Promise<ToolAnswer> {
  if (!(await caller.access(document))) throw noDocument()
  const run = await deps.outside.runOf(caller.agent, document, call)
  if (run === undefined) {
    throw new RequestError(
      'not_found',
      'You have made no such call there.',
      'Give the id that the call came back with.',
    )
  }
  return describe(await waitFor({ run, call }, document, waiting, deps), call)
}

/**
 * Ends the caller's run in a document; `summary` is shown to the people there. @throws RequestError as
 * `callInDocument`.
 */
export async function leaveDocument(
  document: string,
  call: OutsideCall,
  waiting: Waiting,
  caller: McpCaller,
  deps: McpDeps,
): Promise<ToolAnswer> {
  const access = await caller.access(document)
  if (!access) throw noDocument()
  const run = await deps.outside.find(caller.agent, document)
  if (!run) return { text: 'You are not in this document.' }
  if (run.status === 'awaiting_approval') {
    return { text: 'You leave it once your changes that wait for approval are decided.' }
  }
  const made = await deps.outside.call(caller.agent, { document, access, mode: run.mode }, call)
  await waitFor(made, document, waiting, deps)
  return { text: 'You have left the document. What you changed stays; people can undo it.' }
}

/** The mode of agents' changes in a document. */
async function modeOf(document: string, person: string, { documents }: McpDeps): Promise<AgentMode> {
  const found = await documents.find(document, person)
  if (!found) throw noDocument()
  return found.agentMode
}

async function waitFor(
  made: { run: string; call: string },
  document: string,
  { signal, onWaiting }: Waiting,
  { outside, waitMs }: McpDeps,
): Promise<CallState> {
  const timer = setInterval(onWaiting, waitMs / progressReports)
  try {
    return await outside.settled(made, document, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))
  } finally {
    clearInterval(timer)
  }
}

function describe(state: CallState, call: string): ToolAnswer {
  switch (state.kind) {
    case 'done':
      return { text: state.text, isError: state.isError }
    case 'waiting': {
      const waitHint = `Ask for it again with wait_for_result and call ${JSON.stringify(call)}; don't make the call again.`
      if (state.isHeld)
        return { text: `Nothing is changed yet: a person in the document has to approve this. ${waitHint}` }
      if (state.runWaits) {
        return { text: `This call waits until a person has decided on a change that you proposed before. ${waitHint}` }
      }
      return { text: `This takes longer than usual. ${waitHint}` }
    }
    case 'ended': {
      const why =
        state.status === 'stopped' ? 'a person stopped you in this document' : (state.error ?? 'your run ended')
      const outcome = state.taken ? 'It may have been carried out; read the document before you repeat it.' : ''
      const text = `stopped: this call has no result, since ${why}. ${outcome} Ask the person for whom you work what to do.`
      return { text: text.replaceAll(/ +/g, ' '), isError: true }
    }
  }
}

function noDocument(): RequestError {
  return new RequestError(
    'not_found',
    'There is no such document, or it is not shared with the owner of your key.',
    'list_documents shows those that you may open.',
  )
}
