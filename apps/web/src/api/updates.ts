import { send } from './client.ts'

/**
 * Brings a Yjs update that is too large for a frame to the server. `clientKey` is the one that the page opened its socket with. Resolves
 * when it is on disk.
 */
export async function sendUpdate(
  document: string,
  update: Uint8Array,
  clientKey: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/documents/${encodeURIComponent(document)}/updates?${new URLSearchParams({ client: clientKey })}`
  await send(path, { method: 'POST', body: update, signal })
}
