import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of 127.0.0.1 on which nothing listens at this moment; `wanted`, if it is one. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer()
  server.listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if (wanted !== 0) return freePort()
    throw error
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
