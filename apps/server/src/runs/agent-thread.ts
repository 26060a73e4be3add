import { randomUUID } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { createProvider } from '@copydesk/agent'
import { pino } from 'pino'
import { createTokens } from '../auth/tokens.ts'
import { createThreadSignals } from '../signals.ts'
import { ServerWriter } from '../store/server-writer.ts'
import { createLinkedStore } from '../store/store.ts'
import { UpdateLog } from '../store/update-log.ts'
import type { AgentThreadData } from './agent-threads.ts'
import { providerSettings } from './provider-settings.ts'
import { RunStore } from './run-store.ts'
import { RunWorker } from './run-worker.ts'

/** The entry of the agent's thread: a run worker with its own line to the store. */
const { config, signalChannel, collabUrl, storePort } = workerData as AgentThreadData
const now = Date.now
const store = createLinkedStore(storePort)
const signals = createThreadSignals(signalChannel)
const log = new UpdateLog(store, now)
const writer = new ServerWriter(store, log, signals, now)
const runs = new RunStore({ db: store.db, writer, now, createId: randomUUID, maxRounds: config.AGENT_MAX_ROUNDS })
const worker = new RunWorker({
  db: store.db,
  runs,
  writer,
  signals,
  provider: createProvider(providerSettings(config)),
  tokens: createTokens(config.secret),
  collabUrl,
  limits: {
    runTimeoutMs: config.AGENT_RUN_TIMEOUT_MS,
    runTokens: config.AGENT_RUN_TOKEN_LIMIT,
    dailyTokens: config.AGENT_DAILY_TOKEN_LIMIT,
  },
  now,
  logger: pino({ level: config.LOG_LEVEL, name: 'agent' }),
})
worker.start()

parentPort?.once('message', () => {
  void worker.close().finally(async () => {
    signals.close()
    await store.close()
    parentPort?.close()
  })
})
