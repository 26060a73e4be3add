import {
  type DecideCall,
  type Message,
  MessageList,
  PostedMessage,
  type PostMessage,
  FileProposal,
  type Step,
} from '@copydesk/protocol'
import { apiPath, request, send } from './client.ts'
import { useQuery } from '@tanstack/react-query'

/** Stops a run. It ends when the room document says so, not when the promise resolves. */
export async function stopRun(document: string, run: string): Promise<void> {
  await post(document, run, '/stop')
}

/** Grants a run that reached its limit the same number of rounds again, or retries a failed run. */
export async function continueRun(document: string, run: string): Promise<void> {
  await post(document, run, '/continue')
}

/** Undoes the changes of a run, or of one step of it. Resolves when the document contains the undo. */
export async function undoRun(document: string, run: string, step?: string): Promise<void> {
  await post(document, run, '/undo', step === undefined ? {} : { step })
}

/** Redoes the changes that `undoRun` has undone. */
export async function redoRun(document: string, run: string, step?: string): Promise<void> {
  await post(document, run, '/redo', step === undefined ? {} : { step })
}

/** Approves or rejects a call that waits for approval. */
export async function decideCall(document: string, run: string, call: string, decision: DecideCall): Promise<void> {
  await post(document, run, apiPath`/approvals/${call}`, decision)
}

async function post(document: string, run: string, action: string, body?: unknown): Promise<void> {
  const path = apiPath`/documents/${document}/runs/${run}` + action
  await send(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
}

/** The chat messages before a known one, oldest first, at most 200. */
export async function listMessages(document: string, before: string): Promise<Message[]> {
  const path = apiPath`/documents/${document}/messages?before=${before}`
  return (await request(path, MessageList)).messages
}

/**
 * Sends a message to the agent in the document's chat; the answer arrives in the room document. `mentions` has the ids
 * of the people who are notified.
 */
export function postMessage(document: string, message: PostMessage): Promise<PostedMessage> {
  return request(apiPath`/documents/${document}/messages`, PostedMessage, {
    method: 'POST',
    body: message,
  })
}

/** The first part of the keys under which proposals are cached. */
export const proposalKey = 'file-proposal'

/**
 * The change of a call in a project file. While the call waits it is refetched, because the file may change. The server
 * also announces changes immediately, unless its operating system reports none.
 */
export function useFileProposal(document: string, run: string, { id, status }: Pick<Step, 'id' | 'status'>) {
  const path = apiPath`/documents/${document}/runs/${run}/files/${id}`
  return useQuery({
    queryKey: [proposalKey, document, run, id, status],
    queryFn: ({ signal }) => request(path, FileProposal, { signal }),
    refetchInterval: status === 'awaiting_approval' && 60_000,
  })
}
