import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadRequest } from './load-protocol.ts'

type Message =
  | { kind: 'moment'; moment: 'begins' | 'ends' }
  | { kind: 'answer'; value: unknown }
  | { kind: 'failed'; message: string }

/** A process that holds the clients of a measurement. */
export type Clients = {
  /** Executes a request and resolves with its result; `onMoment` is called when the measurement begins and ends. */
  ask<T>(request: LoadRequest, onMoment?: (moment: 'begins' | 'ends') => void): Promise<T>
  close(): void
}

/** Starts a process for clients, so that their work is not the server's. */
export function startClients(): Clients {
  const child: ChildProcess = fork(fileURLToPath(new URL('./load-clients.ts', import.meta.url)))
  return {
    ask: <T>(request: LoadRequest, onMoment?: (moment: 'begins' | 'ends') => void) =>
      new Promise<T>((resolve, reject) => {
        const onMessage = (message: Message): void => {
          if (message.kind === 'moment') return onMoment?.(message.moment)
          child.off('message', onMessage)
          if (message.kind === 'answer') resolve(message.value as T)
          else reject(new Error(message.message))
        }
        child.on('message', onMessage)
        child.send(request)
      }),
    close: () => void child.kill(),
  }
}
