import { extname } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'

/** What the agent's thread needs to know; plain data, since it crosses a thread. */
export type AgentThreadSettings = { config: Config; signalChannel: string; collabUrl: string }

/** What the thread is started with: the settings and its own line to the store. */
export type AgentThreadData = AgentThreadSettings & { storePort: MessagePort }

const restartAfterMs = 1000

/**
 * Runs agents in a thread of their own, so that a long edit never delays a keystroke. If the thread dies it is started
 * again and takes up the runs where they were.
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
