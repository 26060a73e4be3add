import type { DecideCall } from '@copydesk/protocol'
import { send } from './client.ts'

/** Stops a run. It is over once the room document says so, not when this resolves. */
export async function stopRun(document: string, run: string): Promise<void> {
  await post(document, run, '/stop')
}

/** Gives a run that reached its limit as many rounds again, or lets one that failed try again. */
export async function continueRun(document: string, run: string): Promise<void> {
  await post(document, run, '/continue')
}

/** Takes back what a run changed, or what one step of it did. Resolves when the document has it. */
export async function undoRun(document: string, run: string, step?: string): Promise<void> {
  await post(document, run, '/undo', step === undefined ? {} : { step })
}

/** Puts back what `undoRun` took back. */
export async function redoRun(document: string, run: string, step?: string): Promise<void> {
  await post(document, run, '/redo', step === undefined ? {} : { step })
}

/** Approves or rejects a call that waits for a person's word. */
export async function decideCall(document: string, run: string, call: string, decision: DecideCall): Promise<void> {
  await post(document, run, `/approvals/${encodeURIComponent(call)}`, decision)
}

async function post(document: string, run: string, action: string, body?: unknown): Promise<void> {
  const path = `/documents/${encodeURIComponent(document)}/runs/${encodeURIComponent(run)}${action}`
  await send(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
}
