import { send } from './client.ts'

/**
 * Sends a Yjs update that is too large for a WebSocket frame to the server. `clientKey` is the one with which the page
 * opened its socket. Resolves when it is on disk.
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
