import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'

/** What a thread can be asked: functions of arguments that can be cloned, as is what they resolve with. */
export type Calls = Record<string, (...values: never[]) => unknown>

/** A thread as its callers see it. */
export type CallableThread<C extends Calls> = {
  /** Rejects with what the function threw, and when the thread ends. */
  ask<K extends keyof C & string>(name: K, ...values: Parameters<C[K]>): Promise<Awaited<ReturnType<C[K]>>>
  close(): Promise<void>
}

type Question = { id: number; name: string; values: unknown[] }
type Answer = { id: number; value?: unknown; error?: string }

/** Starts the thread of this file, which must `serveCalls` of the same type. */
export async function startThread<C extends Calls>(file: URL): Promise<CallableThread<C>> {
  const worker = new Worker(file, { execArgv: [] })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let asked = 0
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('message', ({ id, value, error }: Answer) => {
    const question = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) question?.resolve(value)
    else question?.reject(new Error(error))
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread has ended')))
  await once(worker, 'online')
  return {
    ask: (name, ...values) =>
      new Promise((resolve, reject) => {
        const id = ++asked
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        worker.postMessage({ id, name, values } satisfies Question)
      }),
    close: async () => void (await worker.terminate()),
  }
}

/** Answers what this thread is asked. */
export function serveCalls(calls: Calls): void {
  const port = parentPort
  if (!port) throw new Error('this file is a thread')
  const answer = async ({ id, name, values }: Question): Promise<Answer> => {
    try {
      return { id, value: await calls[name]?.(...(values as never[])) }
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  port.on('message', (question: Question) => void answer(question).then((given) => port.postMessage(given)))
}
