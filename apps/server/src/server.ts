import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Need } from '@copydesk/tools'
import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import { createApi } from './api/app.ts'
import type { McpRouteDeps } from './api/mcp-routes.ts'
import { createRequestLimits, type RequestTimes } from './api/requests/request-limits.ts'
import { recordAuditEvent } from './audit/audit.ts'
import type { Accounts } from './auth/accounts/accounts.ts'
import { createIdentify } from './auth/callers.ts'
import { Collaboration, type CollaborationDeps } from './collaboration/collaboration.ts'
import { createHttpSync } from './collaboration/http-sync.ts'
import { handleUpgrades } from './collaboration/upgrade.ts'
import { type Config, isOnOwnMachine } from './services/config.ts'
import { UnusedImages } from './images/unused-images.ts'
import { AgentThread } from './agent-thread-starter.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import { type LocalServer, usualLocalServers } from './models/local-servers.ts'
import { createMentionNotifier } from './notifications/notifications.ts'
import { type MailTimes, NotificationMails } from './notifications/notification-mails.ts'
import { createMentionStarter } from './runs/mention-starter.ts'
import { OutsideRuns } from './runs/outside-runs.ts'
import { watchExpiry } from './rights/expiry-watch.ts'
import { createChangeRecorder, combineStatements } from './review/changes/change-recorder.ts'
import { shareOpenDocuments } from './store/log/head-reader.ts'
import { createServices, type Services } from './services/services.ts'
import { createThreadSignals } from './common/signals.ts'
import { sleep } from './common/time.ts'
import { Snapshots } from './store/log/snapshots.ts'
import { closeToOthers } from './common/private-files.ts'
import { openEmbeddedStore } from './store/store.ts'
import { Trash } from './trash/trash.ts'
import { createGuardedPost } from './web/guarded-post.ts'
import { AgentStarter } from './triggers/agent-starter.ts'
import { WebhookSender, type WebhookTimes } from './webhooks/webhook-sender.ts'
import { Retention } from './versions/retention.ts'

/**
 * A running server. `setUpUrl` is the link that creates the first account, undefined once there is an operator;
 * `resetUrl` the link that sets a new password for the account named by RESET_PASSWORD_OF. `close` finishes requests in
 * progress, makes clients reconnect, and may be called twice.
 */
export type RunningServer = {
  url: string
  setUpUrl: string | undefined
  resetUrl: string | undefined
  close(): Promise<void>
}

/** The options of `startServer`. */
export type ServerOptions = {
  config: Config
  logger: FastifyBaseLogger
  webRoot: string
  /** Called for every route. */
  onRoute?: (route: RouteOptions) => void
  /** Rate limits per minute; the defaults are in `createRequestLimits`. */
  requestTimes?: Partial<RequestTimes>
  /** The times of notification mails; the defaults are in `NotificationMails`. */
  mailTimes?: Partial<MailTimes> | undefined
  /** The times of webhook deliveries; the defaults are in `WebhookSender`. */
  webhookTimes?: Partial<WebhookTimes> | undefined
  /** The addresses at which local model servers are searched; the usual addresses by default. */
  localServers?: readonly LocalServer[] | undefined
  /** How long a call over MCP waits for its result before it returns that it waits, in milliseconds. */
  mcpWaitMs?: number | undefined
  /** Overrides the default limits of WebSockets. */
  socketLimits?: CollaborationDeps['limits']
}

const closeWithinMs = 3000

/**
 * Opens the store, starts HTTP, collaboration and the agent's thread, and listens.
 * @throws if the store can't be opened or the port is taken.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, logger, webRoot, onRoute, socketLimits: limits } = options
  const { store, storeProblem } = await openStore(config, logger)
  const signalChannel = `copydesk:${randomUUID()}`
  const { accounts, ...services } = await withAccounts(
    createServices(store, createThreadSignals(signalChannel), config),
    config,
    logger,
  )
  const snapshots = new Snapshots(store, services.log, services.now)
  const statementsFor = combineStatements(
    createMentionStarter(services, logger),
    createMentionNotifier(services),
    createChangeRecorder(services, logger),
  )
  services.storage.logs.follow(services.signals)
  const showingMentions = services.unstartedMentions
    .showAll()
    .catch((error: unknown) => logger.error({ err: error }, 'mentions without a run could not be shown'))
  const keepOpenMs = config.KEEP_OPEN_SECONDS * 1000
  const collaboration = createCollaboration({ ...services, snapshots, statementsFor, logger, limits, keepOpenMs })
  shareOpenDocuments(store.db, (name) => collaboration.replica(name))
  const applyUpdate = createHttpSync((name, work) => collaboration.withOpenDocument(name, work))
  const problem = async (): Promise<string | undefined> => storeProblem() ?? (await problemOf(services))
  const mailer = accounts && createMailer(config)
  const requests = createRequestLimits(services.elapsed, config.TRUST_PROXY > 0, options.requestTimes)
  const mcp = createMcp(services, options)
  const { trash, ...upkeep } = createUpkeep(services, snapshots, mailer, options)
  const addresses = addressesOf(options)
  const app = await createApi(
    { ...services, ...addresses, db: store.db, accounts, mailer, requests, applyUpdate, problem, trash, mcp },
    { logger, webRoot, trustedProxies: config.TRUST_PROXY, onRoute },
  )
  const stopUpgrades = handleUpgrades(app.server, collaboration, config)
  const port = await listen(app, config)
  const settings = { config, signalChannel, collabUrl: `ws://${loopbackOf(config.HOST)}:${port}/collab` }
  const agents = new AgentThread({ ...services, db: store.db, connect: store.connect, settings, logger })

  const onError = (error: unknown): void => logger.error({ err: error }, 'expired links could not be read')
  const stopExpiry = watchExpiry({ ...services, db: store.db, onError })
  upkeep.start()
  const close = async (): Promise<void> => {
    stopUpgrades()
    stopExpiry()
    const closingHttp = app.close()
    const resting = [agents.close().then(() => collaboration.close()), upkeep.close()]
    await Promise.race([Promise.all(resting), sleep(closeWithinMs)])
    collaboration.terminate()
    // A request that is still incomplete may never be completed.
    app.server.closeAllConnections()
    await closingHttp
    await showingMentions
    await snapshots.close()
    await closeServices(services)
  }
  let closing: Promise<void> | undefined
  const url = config.PORT === 0 && config.PUBLIC_URL === undefined ? `http://${config.HOST}:${port}` : config.publicUrl
  const links = { setUpUrl: await startSetUp(accounts, url), resetUrl: await startReset(accounts, services, options) }
  return { url, ...links, close: () => (closing ??= close()) }
}

/** Opens the store; `storeProblem` returns the store's current failure, or undefined. */
async function openStore(config: Config, logger: FastifyBaseLogger) {
  let problem: string | undefined
  const onFailure = (error: Error): void => {
    problem = 'the store failed'
    logger.fatal({ err: error }, problem)
  }
  closeToOthers(config.DATA_DIR, (error, path) => {
    logger.warn({ err: error, path }, 'others on this machine may be able to read a stored file')
  })
  const store = await openEmbeddedStore(config.DATA_DIR, onFailure, (error) => {
    problem = error && 'writes to the disk fail'
    if (error) logger.error({ err: error }, problem)
    else logger.info('writes to the disk succeed again')
  })
  return { store, storeProblem: () => problem }
}

/** Listens, and returns the port: for port 0 the operating system chooses one. */
async function listen(app: FastifyInstance, { HOST: host, PORT: port }: Config): Promise<number> {
  await app.listen({ host, port })
  return (app.server.address() as AddressInfo).port
}

/** The link that creates the first account; undefined once there is an operator. */
async function startSetUp(accounts: Accounts | undefined, url: string): Promise<string | undefined> {
  const token = await accounts?.signUps.startSetUp()
  return token === undefined ? undefined : `${url}/set-up#${token}`
}

/** The link for resetting an operator's password when no other operator can create one. */
async function startReset(
  accounts: Accounts | undefined,
  { people, store, now }: Services,
  { config: { RESET_PASSWORD_OF: email }, logger }: Pick<ServerOptions, 'config' | 'logger'>,
): Promise<string | undefined> {
  if (!accounts || email === undefined) return undefined
  const person = await people.findByEmail(email)
  const link = person && (await accounts.admin.startReset(undefined, person.id))
  if (link?.ok) {
    const details = { how: 'RESET_PASSWORD_OF' }
    await recordAuditEvent(store.db, { at: now(), actor: null, action: 'reset-made', target: person?.id, details })
    return link.url
  }
  logger.error('RESET_PASSWORD_OF names no open account')
  return undefined
}

/** The services for this configuration: with AUTH=accounts, sessions and API keys identify callers. */
async function withAccounts(
  services: Services,
  config: Config,
  logger: FastifyBaseLogger,
): Promise<Services & { accounts: Accounts | undefined }> {
  if (config.AUTH === 'open') return { ...services, accounts: undefined }
  // Without accounts the authentication library is not loaded.
  const { createAccounts } = await import('./auth/accounts/accounts.ts')
  const accounts = createAccounts({ ...services, config, logger })
  const lookups = [
    (credential: string) => accounts.keys.identify(credential),
    (credential: string) => accounts.sessions.identify(credential),
  ]
  return { ...services, accounts, identify: createIdentify({ ...services, lookups }) }
}

async function closeServices(services: Services): Promise<void> {
  const { converter, web, replay, authorship, versions, signals, storage, store } = services
  await services.closeToolServers()
  services.watchedFolders.close()
  await storage.logs.close()
  await converter.close()
  await web.close()
  await replay.close()
  await authorship.close()
  await versions.close()
  signals.close()
  await store.close()
}

/**
 * Background work: refreshes the snapshots, then keeps the history within its limit, deletes unused images and
 * documents whose time in the trash is over. Mails notifications, calls webhooks, starts agents by their triggers, and
 * connects to the tool servers of the configuration.
 */
function createUpkeep(
  services: Services,
  snapshots: Snapshots,
  mailer: Mailer | undefined,
  { config: { HISTORY_DAYS: days, publicUrl, web }, logger, mailTimes: times, webhookTimes }: ServerOptions,
): { trash: Trash; start(): void; close(): Promise<void> } {
  const deps = { ...services, db: services.store.db }
  const report = (message: string) => (error: unknown, document?: string) =>
    logger.error({ err: error, document }, message)
  const unusedImages = new UnusedImages({
    ...deps,
    directory: services.images.directory,
    onError: report('unused images could not be read'),
  })
  const retention = new Retention({ ...deps, days, onError: report('history could not be thinned out') })
  const trash = new Trash({
    ...deps,
    copyImages: (document) => unusedImages.copyForOtherDocuments(document),
    onError: report('documents in the trash could not be deleted'),
  })
  const onError = report('notifications could not be mailed')
  const mails = mailer && new NotificationMails({ ...deps, mailer, publicUrl, onError, times })
  const sender = new WebhookSender({
    ...deps,
    post: createGuardedPost({ allowedHosts: web.allowedHosts }),
    random: Math.random,
    onError: report('webhooks could not be called'),
    times: webhookTimes,
  })
  const starter = new AgentStarter({ ...deps, onError: report('an agent could not begin by itself') })
  const onTaken = (name: string): void => logger.warn({ name }, 'TOOL_SERVERS has the name of another tool server')
  let adopting: Promise<void> | undefined
  return {
    trash,
    start() {
      adopting = services.toolServers.adoptConfigured(onTaken).catch(report('TOOL_SERVERS could not be set up'))
      snapshots
        .refreshAll(report('no snapshot could be made'))
        // Retention merges only updates that are in a snapshot.
        .then(() => {
          retention.start()
          unusedImages.start()
        })
        .catch(report('snapshots could not be brought up to date'))
      trash.start()
      mails?.start()
      sender.start()
      starter.start()
    },
    async close() {
      await trash.close()
      // The installation of a program would delay the end of the server by minutes.
      await services.closeToolServers()
      await adopting
      await Promise.all([retention.close(), unusedImages.close(), sender.close(), starter.close(), mails?.close()])
      await mailer?.close()
    },
  }
}

function createCollaboration(
  services: Services & Pick<CollaborationDeps, 'snapshots' | 'statementsFor' | 'logger' | 'limits' | 'keepOpenMs'>,
): Collaboration {
  const { anchoring, documents, logger } = services
  return new Collaboration({
    ...services,
    async onContentSettled(document) {
      await documents.touch(document)
      await anchoring.settle(document).catch((error: unknown) => {
        logger.error(
          { err: error, document },
          'threads could not be attached to their text; the next change tries again',
        )
      })
    },
    onTitle: (document, title) => {
      documents
        .noteTitle(document, title)
        .catch((error: unknown) => logger.error({ err: error }, 'a title could not be stored'))
    },
  })
}

/** The tools for outside agents, and how long their calls wait. */
function createMcp(services: Services, { config, mcpWaitMs: waitMs = 30_000 }: ServerOptions): McpRouteDeps['mcp'] {
  const { search, searchImages } = services.web.forRun(new AbortController().signal)
  const missing = new Set<Need>([
    ...(config.PROJECT_DIR === undefined ? (['project', 'project-writing'] as const) : []),
    ...(search ? [] : ['web-search' as const]),
    ...(searchImages ? [] : ['image-search' as const]),
  ])
  const outside = new OutsideRuns({ ...services, db: services.store.db })
  return { outside, isSetUp: (need) => !missing.has(need), waitMs }
}

/** The server's own address, who can reach it, and the addresses of possible model servers on its machine. */
function addressesOf({ config, localServers = usualLocalServers() }: ServerOptions) {
  return { publicUrl: config.publicUrl, isOnOwnMachine: isOnOwnMachine(config), localServers }
}

async function problemOf({ store }: Services): Promise<string | undefined> {
  try {
    await store.db.selectFrom('people').select('id').limit(1).execute()
    return undefined
  } catch {
    return 'the store does not answer'
  }
}

/** The loopback address at which this machine reaches a server that listens on `host`. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
