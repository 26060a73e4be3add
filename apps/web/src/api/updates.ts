import { send } from './client.ts'

/** Brings a Yjs update that is too large for a frame to the server. Resolves when it is on disk. */
export async function sendUpdate(document: string, update: Uint8Array, signal: AbortSignal): Promise<void> {
  await send(`/documents/${encodeURIComponent(document)}/updates`, { method: 'POST', body: update, signal })
}
