import { once } from 'node:events'
import WebSocket from 'ws'
import type { Copydesk } from './copydesk.ts'

/** What a server needs in its environment so that its heap can be looked at. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/**
 * Bytes of the heap of the server's main thread that are still held after a garbage collection, by the inspector's
 * protocol. The server must have been started with `inspected`.
 */
export async function heldHeapOf(server: Pick<Copydesk, 'output'>): Promise<number> {
  return (await heapOf(server, true)).usedSize
}

/** The same with what lies outside of the heap and is held from there, such as updates and frames. */
export async function heldMemoryOf(server: Pick<Copydesk, 'output'>): Promise<number> {
  return sumOf(await heapOf(server, true))
}

/** The same without a collection, which costs more than a small input: what is held, and garbage. */
export async function usedMemoryOf(server: Pick<Copydesk, 'output'>): Promise<number> {
  return sumOf(await heapOf(server, false))
}

type Heap = { usedSize: number; backingStorageSize: number }

function sumOf({ usedSize, backingStorageSize }: Heap): number {
  return usedSize + backingStorageSize
}

async function heapOf(server: Pick<Copydesk, 'output'>, isCollected: boolean): Promise<Heap> {
  const address = /Debugger listening on (ws:\S+)/.exec(server.output())?.[1]
  if (address === undefined) throw new Error('the server was not started to be inspected')
  const inspector = new WebSocket(address)
  await once(inspector, 'open')
  let asked = 0
  const ask = async (method: string): Promise<unknown> => {
    const id = ++asked
    inspector.send(JSON.stringify({ id, method }))
    for (;;) {
      const [message] = (await once(inspector, 'message')) as [Buffer]
      const answer = JSON.parse(message.toString()) as { id?: number; result?: unknown }
      if (answer.id === id) return answer.result
    }
  }
  try {
    // V8 frees the memory of buffers in a thread of its own: the second collection waits for it.
    for (let times = 0; isCollected && times < 2; times++) await ask('HeapProfiler.collectGarbage')
    return (await ask('Runtime.getHeapUsage')) as Heap
  } finally {
    inspector.close()
  }
}
