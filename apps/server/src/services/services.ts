import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createProvider, type ModelProvider } from '@copydesk/agent'
import { Agents } from '../agents/agents.ts'
import { AgentSettings } from '../agent-settings/agent-settings.ts'
import { roundsOfRun } from '../agent-settings/limits.ts'
import { AuditLog } from '../audit/audit.ts'
import { createAccess, type FindAccess, type FindFolderAccess } from '../rights/access.ts'
import { AuthorshipReader } from '../authorship/authorship-reader.ts'
import { Budgets } from '../budgets/budgets.ts'
import { createPeople } from '../auth/people.ts'
import { createTokens } from '../auth/tokens.ts'
import { createIdentify } from '../auth/callers.ts'
import type { Config } from './config.ts'
import { DocumentStore } from '../documents/document-store.ts'
import { LogReplay } from '../history/log-replay.ts'
import { RunUndo, type RunUndoDeps } from '../history/run-undo.ts'
import { FileChanges } from '../file-changes/file-changes.ts'
import { WatchedFolders } from '../file-changes/watched-folders.ts'
import { MarkdownConverter } from '../documents/markdown-converter.ts'
import { Images } from '../images/images.ts'
import { createModelKeys } from '../models/model-keys.ts'
import { Models } from '../models/models.ts'
import { Providers } from '../models/providers.ts'
import { createStopTokens } from '../mail/stop-tokens.ts'
import { Notifications } from '../notifications/notifications.ts'
import { Visits } from '../notifications/visits.ts'
import type { ImageQuota } from '../quotas/image-quota.ts'
import { createStorageQuotas } from '../quotas/storage.ts'
import { Folders, type FoldersDeps } from '../rights/folders.ts'
import { createTargetCheck, Moves, type MovesDeps } from '../rights/moves.ts'
import { KnownPeopleFinder } from '../rights/known-people.ts'
import { Links } from '../rights/links.ts'
import { Members } from '../rights/members.ts'
import { Ownerless } from '../rights/ownerless.ts'
import { Roles } from '../rights/roles.ts'
import { Anchoring } from '../review/threads/anchoring.ts'
import { Changes } from '../review/changes/changes.ts'
import { Highlights } from '../review/highlights.ts'
import { Threads } from '../review/threads/threads.ts'
import { RunStore } from '../runs/run-store.ts'
import { UnstartedMentions } from '../runs/unstarted-mentions.ts'
import type { Signals } from '../common/signals.ts'
import { DocumentTransactions } from '../store/log/document-transactions.ts'
import type { Store } from '../store/store.ts'
import { UpdateLog } from '../store/log/update-log.ts'
import { FolderTrash } from '../trash/folder-trash.ts'
import { createToolServers } from '../tool-servers/create-tool-servers.ts'
import { Versions, type VersionsDeps } from '../versions/versions.ts'
import { createGuardedFetch } from '../web/guarded-fetch.ts'
import { createWeb } from '../web/web.ts'
import { createSigning } from '../webhooks/signing.ts'
import { Webhooks, type WebhooksDeps } from '../webhooks/webhooks.ts'
import { dayMs } from '../common/time.ts'
import { explainFailures } from '../models/provider-wrappers.ts'

/** The services that every part of the server uses, in any thread. */
export type Services = ReturnType<typeof createServices>

/** Monotonic clock for durations, in milliseconds. */
const elapsed = (): number => performance.now()

/** Builds the services over one connection to the store. Creates the clock and the id generator. */
export function createServices(store: Store, signals: Signals, config: Config) {
  const now = Date.now
  const createId = (): string => randomUUID()
  const log = new UpdateLog(store, now)
  const writer = new DocumentTransactions(store, log, signals, now)
  const converter = new MarkdownConverter()
  const roles = new Roles({ db: store.db, now, isOpen: config.AUTH !== 'accounts' })
  const storage = createStorageQuotas(store.db, now, config.QUOTAS)
  const ceilings = { run: config.AGENT_RUN_TOKEN_LIMIT, person: config.AGENT_DAILY_TOKEN_LIMIT }
  const trashMs = config.TRASH_DAYS === 0 ? undefined : config.TRASH_DAYS * dayMs
  const documents = new DocumentStore({ db: store.db, log, writer, converter, roles, storage, now, createId, trashMs })
  const access: FindAccess = (caller, document, db) => rights.access(caller, document, db)
  const notifications = new Notifications({ db: store.db, access, now, createId })
  const runs = new RunStore({ db: store.db, writer, notifications, now, createId, maxRounds: roundsOfRun(config) })
  const rights = createAccess({ db: store.db, roles, runs, now })
  const tokens = createTokens(config.secret)
  const people = createPeople(store, { now, createId })
  signals.subscribe((signal) => {
    if (signal.kind === 'rights' && signal.person !== undefined) people.forget(signal.person)
  })
  return {
    store,
    signals,
    log,
    writer,
    tokens,
    people,
    identify: createIdentify({ tokens, people }),
    documents,
    converter,
    runs,
    agents: new Agents({ db: store.db, now, createId }),
    unstartedMentions: new UnstartedMentions({ db: store.db, writer, now }),
    threads: new Threads({ db: store.db, writer, runs, notifications, signals, now }),
    changes: new Changes({ db: store.db, writer, signals, now }),
    highlights: new Highlights({ writer, now }),
    anchoring: new Anchoring({ db: store.db, writer, now }),
    ...createOutgoing({ db: store.db, now, createId }, config, storage.images),
    storage,
    budgets: new Budgets({ db: store.db, now, ceilings }),
    ...createFiles(store, config, signals, now),
    audit: new AuditLog(store.db),
    ...createHistory({ db: store.db, writer, converter, runs, documents, now, createId }),
    visits: new Visits({ db: store.db, roles, now }),
    notifications,
    ...rights,
    roles,
    ...createFolders({ db: store.db, roles, signals, storage, now, createId }, rights.folderAccess),
    trashMs,
    members: new Members({ db: store.db, signals, now }),
    links: new Links({ db: store.db, signals, now, createId, secret: config.secret }),
    stopTokens: createStopTokens(config.secret),
    knownPeople: new KnownPeopleFinder({ db: store.db, roles }),
    ownerless: new Ownerless({ db: store.db, signals, now }),
    now,
    elapsed,
    createId,
  }
}

/** Creates the services that read the logs of contents. */
function createHistory(deps: Omit<RunUndoDeps & VersionsDeps, 'replay'>) {
  const replay = new LogReplay(deps)
  return {
    replay,
    undo: new RunUndo({ ...deps, replay }),
    versions: new Versions({ ...deps, replay }),
    authorship: new AuthorshipReader(deps.db),
  }
}

function createFiles({ db }: Store, config: Config, signals: Signals, now: () => number) {
  const { PROJECT_DIR, DATA_DIR, TOOL_LIMITS, AGENT_MAX_ROUNDS: rounds } = config
  const projectFolder = { directory: PROJECT_DIR, hidden: [DATA_DIR] }
  const watchedFolders = new WatchedFolders(() => signals.publish({ kind: 'files-changed' }))
  const fixed = { ...TOOL_LIMITS, ...(rounds === undefined ? {} : { rounds }) }
  return {
    projectFolder,
    watchedFolders,
    files: new FileChanges({ db, projectFolder, watchedFolders, now }),
    agentSettings: new AgentSettings({ db, projectFolder, fixed }),
  }
}

/** Creates the services that connect to addresses chosen by users or operators. */
function createOutgoing(deps: Pick<WebhooksDeps, 'db' | 'now' | 'createId'>, config: Config, quota: ImageQuota) {
  const { DATA_DIR, secret, web } = config
  const { allowedHosts } = web
  const fetch = createGuardedFetch({ allowedHosts })
  const signing = createSigning(secret)
  const keys = createModelKeys(secret)
  const environment = createEnvironmentProvider(config)
  const contextTokens = config.AGENT_CONTEXT_TOKENS
  const models = new Models({ ...deps, keys, environment, contextTokens })
  return {
    web: createWeb(web, fetch),
    images: new Images({ ...deps, directory: join(DATA_DIR, 'files'), quota, fetch }),
    signing,
    webhooks: new Webhooks({ ...deps, signing, allowedHosts }),
    ...createToolServers(deps, config),
    models,
    providers: new Providers({ ...deps, keys, environment, contextTokens, models, elapsed }),
  }
}

function createFolders(deps: Omit<MovesDeps & FoldersDeps, 'checkTarget'>, folderAccess: FindFolderAccess) {
  const checkTarget = createTargetCheck(folderAccess)
  const moves = new Moves({ ...deps, checkTarget })
  return {
    checkTarget,
    moves,
    folders: new Folders({ ...deps, checkTarget }),
    folderTrash: new FolderTrash({ ...deps, folderAccess, moves }),
  }
}

/**
 * Creates the model provider that the environment selects; undefined if AGENT_PROVIDER is `builtin`, or `auto` and no
 * service is configured. Sends nothing.
 */
function createEnvironmentProvider(config: Config): ModelProvider | undefined {
  const provider = config.AGENT_PROVIDER
  if (provider === 'builtin') return undefined
  const service = createProvider({
    provider,
    model: config.AGENT_MODEL,
    temperature: config.AGENT_TEMPERATURE,
    maxOutputTokens: config.AGENT_MAX_OUTPUT_TOKENS,
    services: config.services,
  })
  return service && explainFailures(service, { setAnother: 'AGENT_MODEL sets another model.' })
}
