import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { createProvider, builtinSetupHint } from '@copydesk/agent'
import type { FastifyBaseLogger } from 'fastify'
import { createAccess } from './access.ts'
import { createApi } from './api/app.ts'
import { createPeople } from './auth/people.ts'
import { createTokens } from './auth/tokens.ts'
import { Collaboration } from './collaboration/collaboration.ts'
import { handleUpgrades } from './collaboration/upgrade.ts'
import type { Config } from './config.ts'
import { DocumentStore } from './documents/document-store.ts'
import { startAgentThread } from './runs/agent-threads.ts'
import { providerSettings } from './runs/provider-settings.ts'
import { RunStore } from './runs/run-store.ts'
import { createThreadSignals } from './signals.ts'
import { ServerWriter } from './store/server-writer.ts'
import { Snapshots } from './store/snapshots.ts'
import { openEmbeddedStore } from './store/store.ts'
import { UpdateLog } from './store/update-log.ts'

/** A running server. `close` finishes what is in flight, makes clients come back, and may be called twice. */
export type RunningServer = { url: string; close(): Promise<void> }

export type ServerOptions = { config: Config; logger: FastifyBaseLogger; webRoot: string }

const closeWithinMs = 4000

/**
 * Opens the store, starts HTTP, collaboration and the agent's thread, and listens.
 * @throws if the store can't be opened or the port is taken.
 */
export async function startServer({ config, logger, webRoot }: ServerOptions): Promise<RunningServer> {
  const now = Date.now
  const createId = randomUUID
  let storeTrouble: Error | undefined
  const store = await openEmbeddedStore(config.DATA_DIR, (error) => {
    storeTrouble = error
    logger.fatal({ err: error }, 'the store failed')
  })
  const signalChannel = `copydesk:${createId()}`
  const signals = createThreadSignals(signalChannel)
  const log = new UpdateLog(store, now)
  const writer = new ServerWriter(store, log, signals, now)
  const snapshots = new Snapshots(store, log, now)
  const tokens = createTokens(config.secret)
  const people = createPeople(store, { now, createId })
  const documents = new DocumentStore({ db: store.db, log, writer, now, createId })
  const runs = new RunStore({ db: store.db, writer, now, createId, maxRounds: config.AGENT_MAX_ROUNDS })
  const access = createAccess(documents, runs)
  const provider = createProvider(providerSettings(config))

  const collaboration = new Collaboration({
    log,
    snapshots,
    signals,
    tokens,
    people,
    logger,
    now,
    access,
    statementsFor: (document) => (mentions, sender) => ({
      // Only people's mentions start runs: what an agent writes is text.
      statements:
        sender.run === null
          ? mentions.map(({ requestId, instruction }) =>
              runs.mentionStatement(document, requestId, instruction, sender.actor),
            )
          : [],
      stored: () => {
        for (const { requestId } of mentions) void announceMention(document, requestId)
      },
    }),
    onContentSettled: (document) => documents.touch(document),
    onTitle: (document, title) => {
      documents.touch(document, title).catch((error: unknown) => logger.error({ err: error }, 'a title was not noted'))
    },
  })

  async function announceMention(document: string, requestId: string): Promise<void> {
    try {
      const run = await runs.showMentionRun(document, requestId)
      if (run) signals.publish({ kind: 'run-queued', run: run.id })
    } catch (error) {
      // The run is stored; the worker shows it when it takes it.
      logger.error({ err: error, document }, 'a mention could not be shown')
    }
  }

  const app = await createApi(
    {
      tokens,
      people,
      documents,
      runs,
      signals,
      access,
      publicUrl: config.publicUrl,
      agent: {
        provider: provider.id,
        model: provider.model,
        ...(provider.id === 'builtin' ? { setup: builtinSetupHint } : {}),
      },
      trouble: async () => {
        if (storeTrouble) return 'the store failed'
        return store.db
          .selectFrom('people')
          .select('id')
          .limit(1)
          .execute()
          .then(
            () => undefined,
            () => 'the store does not answer',
          )
      },
    },
    { logger, createId, webRoot },
  )
  const stopUpgrades = handleUpgrades(app.server, collaboration, config.publicUrl)
  await app.listen({ host: config.HOST, port: config.PORT })
  const { port } = app.server.address() as AddressInfo
  const agents = startAgentThread({
    connect: store.connect,
    settings: { config, signalChannel, collabUrl: `ws://${loopbackOf(config.HOST)}:${port}/collab` },
    logger,
  })

  const close = async (): Promise<void> => {
    stopUpgrades()
    const closingHttp = app.close()
    await Promise.race([Promise.all([agents.close(), collaboration.close()]), patience(closeWithinMs)])
    collaboration.terminate()
    await closingHttp
    await snapshots.close()
    signals.close()
    await store.close()
  }
  let closing: Promise<void> | undefined
  return {
    url: config.publicUrl ?? `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`,
    close: () => (closing ??= close()),
  }
}

/** Where this machine reaches itself when it listens on `host`. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
