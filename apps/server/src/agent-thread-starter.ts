import { extname } from 'node:path'
import { type MessagePort, Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Config } from './services/config.ts'
import type { Signals } from './common/signals.ts'
import type { Tables } from './store/tables.ts'

/** The settings of the agent's thread; plain data, since it is posted to a worker thread. */
export type AgentThreadSettings = { config: Config; signalChannel: string; collabUrl: string }

/** `connect` opens a store connection for the thread; `db` is used to look for runs. */
export type AgentThreadDeps = {
  connect: () => MessagePort
  settings: AgentThreadSettings
  db: Kysely<Tables>
  signals: Signals
  logger: FastifyBaseLogger
}

/** The worker data of the thread: the settings and the port of its own store connection. */
export type AgentThreadData = AgentThreadSettings & { storePort: MessagePort }

const restartAfterMs = 1000
const checkEveryMs = 5000

/**
 * Runs agents in a worker thread, so that a long edit never delays the main thread. The thread starts when a run is
 * queued, or when the store contains an unfinished run: an idle thread would take about 60 MB. If it dies, it is
 * restarted and resumes its runs.
 */
export class AgentThread {
  readonly #deps: AgentThreadDeps
  readonly #unsubscribe: () => void
  readonly #timer: NodeJS.Timeout
  #worker: Worker | undefined
  #isClosing = false

  constructor(deps: AgentThreadDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.signals.subscribe(({ kind }) => {
      if (kind === 'run-queued') this.#start()
    })
    // Signals may be lost; the store is authoritative.
    this.#timer = setInterval(() => void this.#startIfNeeded(), checkEveryMs).unref()
    void this.#startIfNeeded()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#unsubscribe()
    clearInterval(this.#timer)
    const worker = this.#worker
    if (!worker || worker.threadId < 0) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('close')
    await exited
  }

  async #startIfNeeded(): Promise<void> {
    if (this.#worker) return
    try {
      const run = await this.#deps.db.selectFrom('runs').select('id').where('ended_at', 'is', null).executeTakeFirst()
      if (run) this.#start()
    } catch (error) {
      this.#deps.logger.error({ err: error }, 'could not read the queue of runs')
    }
  }

  #start(): void {
    if (this.#worker || this.#isClosing) return
    const { connect, settings, logger } = this.#deps
    const storePort = connect()
    const data: AgentThreadData = { ...settings, storePort }
    const worker = new Worker(new URL(`./agent-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: data,
      transferList: [storePort],
    })
    worker.on('error', (error) => logger.error({ err: error }, 'the agent thread failed'))
    worker.on('exit', () => {
      setTimeout(() => {
        this.#worker = undefined
        this.#start()
      }, restartAfterMs).unref()
    })
    this.#worker = worker
  }
}
