import { createServer } from 'node:http'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { ModelProvider, TranscriptMessage } from '@copydesk/agent'
import type { User } from '@copydesk/protocol'
import { roundsOfRun } from '../agent-settings/limits.ts'
import { contentName, contentTypes } from '@copydesk/schema'
import { pino } from 'pino'
import { Collaboration } from '../collaboration/collaboration.ts'
import { agentIdentity } from '../common/identity.ts'
import { handleUpgrades } from '../collaboration/upgrade.ts'
import { readConfig } from '../services/config.ts'
import { receiptPrefixOf } from '../runs/run-lease.ts'
import { RunStore, type RunStoreDeps } from '../runs/run-store.ts'
import { DocumentMutex } from '../agent/session/document-mutex.ts'
import type { RunWorkerDeps } from '../agent/worker-deps.ts'
import { createServices, type Services } from '../services/services.ts'
import type { Model } from '../models/models.ts'
import { createThreadSignals } from '../common/signals.ts'
import { Snapshots } from '../store/log/snapshots.ts'
import { openEmbeddedStore } from '../store/store.ts'
import type { RunRow } from '../store/tables.ts'
import { fragmentOf, paragraph, textAt } from './log-scene.ts'
import { makeDataFolder } from './test-store.ts'

/** The store and collaboration of a server, without the worker that would execute its runs: tests act as the worker. */
export type RunScene = {
  services: Services
  deps: RunWorkerDeps
  ana: User
  url: string
  /** The runs, with a `transcript` supplied by the test. */
  runsReading(transcript: () => Promise<TranscriptMessage[]>): RunStore
  /** Creates a document with this markdown. */
  create(markdown: string): Promise<string>
  /** Creates a run requested by Ana, with the columns of `row` changed. */
  ask(document: string, text: string, row?: Partial<RunRow>): Promise<RunRow>
  row(run: string): Promise<RunRow>
  /** Writes the state left by a worker that died in the middle of a call: two paragraphs and an open receipt. */
  leaveOpenCall(run: RunRow): Promise<void>
  /** The texts of the document's blocks, and its receipts. */
  content(document: string): Promise<{ blocks: string[]; receipts: Record<string, unknown> }>
  dispose(): Promise<void>
}

/** A model that must not be called. */
const silentProvider: ModelProvider = {
  id: 'builtin',
  model: 'none',
  stream() {
    throw new Error('the model was asked')
  },
}

/** The provider as the model of a run, without a price. */
export function asModel(provider: ModelProvider): Model {
  return { ref: provider.id, label: provider.model, provider, price: undefined, contextTokens: 100_000 }
}

class ScriptedRuns extends RunStore {
  readonly #transcript: () => Promise<TranscriptMessage[]>
  constructor(deps: RunStoreDeps, transcript: () => Promise<TranscriptMessage[]>) {
    super(deps)
    this.#transcript = transcript
  }

  override transcript(): Promise<TranscriptMessage[]> {
    return this.#transcript()
  }
}

/** Opens a scene with its own store in a temporary folder, listening on a free port. */
export async function openRunScene(): Promise<RunScene> {
  const directory = makeDataFolder('copydesk-runs-')
  const store = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  const config = readConfig({ DATA_DIR: directory, SECRET: 'a secret for tests that is long enough' })
  const services = createServices(store, createThreadSignals(directory), config)
  const logger = pino({ level: 'silent' })
  const snapshots = new Snapshots(store, services.log, services.now)
  const collaboration = new Collaboration({
    ...services,
    snapshots,
    logger,
    statementsFor: () => () => ({ statements: [], stored: () => undefined }),
    onContentSettled: () => Promise.resolve(),
    onTitle: () => undefined,
    keepOpenMs: 30_000,
  })
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const stopUpgrades = handleUpgrades(http, collaboration, { publicUrl: url, TRUST_PROXY: 0 })
  const ana = await services.people.create('Ana')
  return {
    ...createRunFunctions(services, ana),
    services,
    ana,
    url,
    runsReading: (transcript) =>
      new ScriptedRuns({ ...services, db: store.db, maxRounds: roundsOfRun({}) }, transcript),
    deps: {
      ...services,
      db: store.db,
      modelOf: () => Promise.resolve(asModel(silentProvider)),
      collabUrl: `ws://127.0.0.1:${port}/collab`,
      project: undefined,
      turns: new DocumentMutex(),
      limits: { runTimeoutMs: 60_000 },
      logger,
    },
    async dispose() {
      stopUpgrades()
      await collaboration.close()
      collaboration.terminate()
      http.close()
      await snapshots.close()
      await services.converter.close()
      await services.replay.close()
      services.signals.close()
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function createRunFunctions(
  { documents, runs, writer, log, store }: Services,
  ana: User,
): Pick<RunScene, 'create' | 'ask' | 'row' | 'leaveOpenCall' | 'content'> {
  const row = (run: string): Promise<RunRow> =>
    store.db.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirstOrThrow()
  return {
    row,
    create: async (markdown) => (await documents.create(ana.id, { markdown })).id,
    async ask(document, text, changed = {}) {
      const { run } = await runs.startFromChat({
        document,
        instruction: text,
        invokedBy: ana,
        credential: { access: 'write', apiKey: null },
        mode: 'edit',
      })
      if (Object.keys(changed).length > 0) {
        await store.db.updateTable('runs').set(changed).where('id', '=', run.id).execute()
      }
      return row(run.id)
    },
    async leaveOpenCall(run) {
      const author = { actor: agentIdentity.id, run: run.id }
      const name = contentName(run.document)
      await writer.write(name, author, ({ doc }) => {
        doc.getMap(contentTypes.receipts).set(`${receiptPrefixOf(run)}call`, 0)
        fragmentOf(doc).push([paragraph('Half of a')])
      })
      await writer.write(name, author, ({ doc }) => fragmentOf(doc).push([paragraph('sentence that')]))
    },
    async content(document) {
      const loaded = await log.load(contentName(document))
      if (!loaded) throw new Error(`no content of ${document}`)
      const blocks = Array.from(fragmentOf(loaded.doc).toArray(), (_, index) => textAt(loaded.doc, index).toJSON())
      return { blocks, receipts: loaded.doc.getMap(contentTypes.receipts).toJSON() }
    },
  }
}
