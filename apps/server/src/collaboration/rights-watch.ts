import type { Connection, Document } from '@hocuspocus/server'
import { type Access, closeCodes, writeAccessMessage } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import type { FastifyBaseLogger } from 'fastify'
import { type FindAccess, writingNeeds } from '../rights/access.ts'
import type { Caller, Identify } from '../auth/callers.ts'
import { allows } from '../common/identity.ts'
import { concerns, type Signal } from '../common/signals.ts'
import type { CollabSocket } from './connection/collab-socket.ts'
import { identityOf } from './connection/presence.ts'

/** The caller of a document on a socket, and the rights found at the last check. */
export type Admitted = {
  socket: CollabSocket
  caller: Caller
  credential: string
  access: Access
  /** How many changes of rights had been signalled when the newest check began. */
  checkedAt: number
}

export type RightsWatchDeps = { identify: Identify; access: FindAccess; logger: FastifyBaseLogger }

type RightsSignal = Extract<Signal, { kind: 'rights' }>

/** A check of a connection's rights in progress. `signalCount` is how many changes had been signalled when it began. */
type RightsCheck = {
  name: string
  connection: Connection
  admitted: Admitted
  signalCount: number
  result: ReturnType<RightsWatch['check']>
}

/** Whether a caller may only read this document, `<id>` or `<id>/room`. */
export function isReadOnly(caller: Caller, access: Access, name: string): boolean {
  return parseDocumentName(name)?.part !== 'content' || !allows(access, writingNeeds(caller))
}

/**
 * Applies changed rights to open connections: disconnects callers who have lost access, notifies those whose access has
 * changed, and accepts or refuses their later updates accordingly. Also applies changed names.
 */
export class RightsWatch {
  readonly #deps: RightsWatchDeps
  #signalCount = 0

  constructor(deps: RightsWatchDeps) {
    this.#deps = deps
  }

  /** How many changes have been signalled. */
  get signalCount(): number {
    return this.#signalCount
  }

  /** Checks every connection that a change may concern. */
  follow(signal: RightsSignal, open: Iterable<{ name: string; live: Document }>): void {
    const signalCount = ++this.#signalCount
    const checks = new Map<string, ReturnType<RightsWatch['check']>>()
    for (const { name, live } of open) {
      const parsed = parseDocumentName(name)
      if (!parsed) continue
      for (const connection of live.getConnections()) {
        const admitted = connection.context as Admitted
        if (!concerns(signal, personOf(admitted.caller), parsed.document)) continue
        const key = `${parsed.document} ${admitted.credential}`
        const result = checks.get(key) ?? this.check(admitted.credential, parsed.document)
        checks.set(key, result)
        this.#apply({ name, connection, admitted, signalCount, result })
      }
    }
  }

  /** Checks a connection again if a change of rights was signalled since its check began. */
  catchUp(name: string, connection: Connection): void {
    const parsed = parseDocumentName(name)
    const admitted = connection.context as Admitted
    if (!parsed || admitted.checkedAt === this.#signalCount) return
    const result = this.check(admitted.credential, parsed.document)
    this.#apply({ name, connection, admitted, signalCount: this.#signalCount, result })
  }

  /** The current caller of a credential, and their access; undefined if the credential is no longer valid. */
  async check(credential: string, document: string): Promise<{ caller?: Caller; access?: Access }> {
    const caller = await this.#deps.identify(credential)
    if (!caller) return {}
    const access = await this.#deps.access(caller, document)
    return access === undefined ? { caller } : { caller, access }
  }

  #apply({ name, connection, admitted, signalCount, result }: RightsCheck): void {
    result.then(
      ({ caller, access }) => {
        // The store may answer two checks in a different order than they began.
        if (signalCount < admitted.checkedAt) return
        admitted.checkedAt = signalCount
        if (!caller) return admitted.socket.disconnect(closeCodes.unauthenticated, 'the session has ended')
        if (access === undefined) return admitted.socket.disconnect(closeCodes.revoked, 'you no longer have access')
        const isChanged = access !== admitted.access
        admitted.caller = caller
        admitted.access = access
        connection.readOnly = isReadOnly(caller, access, name)
        // The name may have changed, too.
        admitted.socket.setIdentity(name, connection, identityOf(caller))
        if (isChanged && caller.kind === 'person')
          admitted.socket.sendStateless(name, connection, writeAccessMessage(access))
      },
      (error: unknown) => {
        this.#deps.logger.error({ err: error }, 'changed rights could not be checked')
        // Without a successful check there is no access; the client keeps its changes and reconnects.
        admitted.socket.disconnect(closeCodes.resync, 'the server could not check your rights; connect again')
      },
    )
  }
}

function personOf(caller: Caller): string {
  return caller.kind === 'person' ? caller.user.id : caller.invokedBy.id
}
