import { extname } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'

/** The settings of the agent's thread; plain data, since it is posted to a worker thread. */
export type AgentThreadSettings = { config: Config; signalChannel: string; collabUrl: string }

/** The worker data of the thread: the settings and the port of its own store connection. */
export type AgentThreadData = AgentThreadSettings & { storePort: MessagePort }

const restartAfterMs = 1000

/**
 * Runs agents in a worker thread, so that a long edit never delays the main thread. If the thread dies, it is restarted
 * and resumes the runs where they were.
 */
export function startAgentThread(deps: {
  connect: () => MessagePort
  settings: AgentThreadSettings
  logger: FastifyBaseLogger
}): { close(): Promise<void> } {
  let closing = false
  let worker = start()

  function start(): Worker {
    const storePort = deps.connect()
    const data: AgentThreadData = { ...deps.settings, storePort }
    const thread = new Worker(new URL(`./agent-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: data,
      transferList: [storePort],
    })
    thread.on('error', (error) => deps.logger.error({ err: error }, "the agent's thread failed"))
    thread.on('exit', () => {
      if (!closing) setTimeout(() => (worker = closing ? worker : start()), restartAfterMs).unref()
    })
    return thread
  }

  return {
    async close() {
      closing = true
      const exited = new Promise((resolve) => worker.once('exit', resolve))
      if (worker.threadId < 0) return
      worker.postMessage('close')
      await exited
    },
  }
}
