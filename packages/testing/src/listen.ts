import { once } from 'node:events'
import type { Server } from 'node:http'

/** A server that listens on the loopback interface. `close` drops the connections that are open. */
export type Listening = { origin: string; close(): Promise<void> }

/** Makes a server listen on a port of the loopback interface, by default a free one. */
export async function listenLocally(server: Server, port = 0): Promise<Listening> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
