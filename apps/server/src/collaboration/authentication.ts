import type { onAuthenticatePayload } from '@hocuspocus/server'
import { closeCodes, deniedReasons } from '@copydesk/protocol'
import { parseDocumentName, SCHEMA_VERSION } from '@copydesk/schema'
import type { FastifyBaseLogger } from 'fastify'
import type { CollabSocket } from './connection/collab-socket.ts'
import type { OpenDocument } from './document/open-document.ts'
import { type Admitted, isReadOnly, type RightsWatch } from './rights-watch.ts'

/** The context that Hocuspocus keeps for a socket and, after authentication, for a document on it. */
export type SocketContext = Admitted & { cookie: string | undefined; clientKey: string | undefined }

/**
 * An error whose reason Hocuspocus sends to the client as `permission-denied`. The empty message keeps it out of logs.
 */
export class Denied extends Error {
  override readonly name = 'Denied'
  readonly reason: string
  constructor(reason: string) {
    super('')
    this.reason = reason
  }
}

/** Refusals that need a query to the store. */
const costly: ReadonlySet<string> = new Set([deniedReasons.unauthenticated, deniedReasons.notFound])

export type AuthenticationDeps = {
  rights: RightsWatch
  visits: { note(document: string, person: string): Promise<void> }
  /** The documents that are open in this process, by name. */
  open: ReadonlyMap<string, OpenDocument>
  logger: FastifyBaseLogger
}

/**
 * Checks the token of a client that opens a document on a socket: name and schema version of the document, the caller,
 * their access. Sets whether the connection may only read. Resolves to the connection's context.
 * @throws Denied with the reason for the client; any other error after it has closed the socket for a resync.
 */
export async function authenticate(
  payload: onAuthenticatePayload<SocketContext>,
  deps: AuthenticationDeps,
): Promise<Partial<SocketContext>> {
  const { documentName, context, requestParameters, token } = payload
  const checkedAt = deps.rights.signalCount
  try {
    const name = parseDocumentName(documentName)
    if (!name) throw new Denied(deniedReasons.invalidName)
    const version = requestParameters.get('schemaVersion')
    if (version !== null && version !== String(SCHEMA_VERSION)) throw new Denied(deniedReasons.schemaOutdated)
    // Browsers can't read their session cookie: they send `cookie`, and the cookie of the upgrade request counts.
    const credential = token === '' || token === 'cookie' ? (context.cookie ?? '') : token
    const { caller, access } = await deps.rights.check(credential, name.document)
    if (!caller) throw new Denied(deniedReasons.unauthenticated)
    // Checked before any data is loaded for the caller.
    if (!context.socket.admits(caller)) throw new Denied('kept_out')
    if (!access) throw new Denied(deniedReasons.notFound)
    if (caller.kind === 'run') await closeEarlierWorkers(caller.run, caller.epoch, deps)
    else noteVisit(name.document, caller.user.id, deps)
    payload.connectionConfig.readOnly = isReadOnly(caller, access, documentName)
    return { caller, credential, access, checkedAt }
  } catch (error) {
    context.socket.refuse(documentName, error instanceof Denied && costly.has(error.reason))
    if (error instanceof Denied) throw error
    // The client did nothing wrong: it keeps its changes and reconnects.
    deps.logger.error({ err: error }, 'a token could not be checked')
    context.socket.close(closeCodes.resync, 'the server could not check the token; connect again')
    throw error
  }
}

/** Records a visit in the background. Failures are ignored: a full or slow disk must not prevent reading. */
function noteVisit(document: string, person: string, { visits, logger }: AuthenticationDeps): void {
  visits.note(document, person).catch((error: unknown) => {
    logger.warn({ err: error, document }, 'a visit could not be stored')
  })
}

/**
 * Closes the connections of a run's earlier workers and waits until their updates are settled, so that the current
 * worker syncs with all earlier updates.
 */
async function closeEarlierWorkers(run: string, epoch: number, { open }: AuthenticationDeps): Promise<void> {
  const earlier = new Set<CollabSocket>()
  for (const { live } of open.values()) {
    for (const { context } of live.getConnections()) {
      const { caller, socket } = context as SocketContext
      if (caller.kind === 'run' && caller.run === run && caller.epoch < epoch) earlier.add(socket)
    }
  }
  for (const socket of earlier) {
    socket.close(closeCodes.staleRun, 'another worker has taken over this run')
    await socket.settled()
  }
}
