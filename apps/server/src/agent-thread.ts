import { parentPort, workerData } from 'node:worker_threads'
import { createLogger } from './common/logger.ts'
import { createServices } from './services/services.ts'
import { createThreadSignals } from './common/signals.ts'
import { createLinkedStore } from './store/store.ts'
import type { AgentThreadData } from './agent-thread-starter.ts'
import { createProjectFiles } from './project/project-files.ts'
import { RunWorker } from './agent/run-worker.ts'
import { DocumentMutex } from './agent/session/document-mutex.ts'

/** Entry of the agent's worker thread: a run worker with its own store connection. */
const { config, signalChannel, collabUrl, storePort } = workerData as AgentThreadData
const services = createServices(createLinkedStore(storePort), createThreadSignals(signalChannel), config)
const { PROJECT_DIR } = config
const project = PROJECT_DIR === undefined ? undefined : createProjectFiles(PROJECT_DIR, services.projectFolder.hidden)
const worker = new RunWorker({
  ...services,
  db: services.store.db,
  async modelOf({ agent }) {
    const named = agent === null ? undefined : await services.agents.find(agent)
    return services.models.find(named?.model ?? null)
  },
  collabUrl,
  project,
  turns: new DocumentMutex(),
  limits: { runTimeoutMs: config.AGENT_RUN_TIMEOUT_MS },
  logger: createLogger(config.LOG_LEVEL, 'agent'),
})

async function close(): Promise<void> {
  await worker.close()
  await services.web.close()
  await services.closeToolServers()
  await project?.close()
  services.signals.close()
  await services.store.close()
  parentPort?.close()
}

worker.start()
parentPort?.once('message', () => void close())
