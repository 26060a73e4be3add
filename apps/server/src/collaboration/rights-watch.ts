import type { Connection, Document } from '@hocuspocus/server'
import { type Access, closeCodes, writeAccessMessage } from '@copydesk/protocol'
import { parseDocumentName } from '@copydesk/schema'
import type { FastifyBaseLogger } from 'fastify'
import { writingNeeds } from '../access.ts'
import { allows } from '../access-level.ts'
import type { Caller } from '../auth/callers.ts'
import type { Services } from '../services.ts'
import { concerns, type Signal } from '../signals.ts'
import type { CollabSocket } from './collab-socket.ts'
import { identityOf } from './identity.ts'

/** Who is at the other end of a document on a socket, and what was known of their rights when they were last looked at. */
export type Admitted = {
  socket: CollabSocket
  caller: Caller
  credential: string
  access: Access
  /** How many changes of rights had been told of when the newest look began. */
  checkedAt: number
}

export type RightsWatchDeps = Pick<Services, 'identify' | 'access'> & { logger: FastifyBaseLogger }

type RightsSignal = Extract<Signal, { kind: 'rights' }>

/** A look at a connection's rights that is under way; `told` is how many changes had been told of when it began. */
type Look = {
  name: string
  connection: Connection
  admitted: Admitted
  told: number
  looked: ReturnType<RightsWatch['look']>
}

/** Whether a caller may not send changes of this document, `<id>` or `<id>/room`. */
export function isReadOnly(caller: Caller, access: Access, name: string): boolean {
  return parseDocumentName(name)?.part !== 'content' || !allows(access, writingNeeds(caller))
}

/**
 * Lets changed rights take effect on open connections: who lost them is sent away, who has others is told so, and what they send from
 * then on is taken or refused accordingly. A changed name is seen likewise.
 */
export class RightsWatch {
  readonly #deps: RightsWatchDeps
  #told = 0

  constructor(deps: RightsWatchDeps) {
    this.#deps = deps
  }

  /** How many changes have been told of. */
  get told(): number {
    return this.#told
  }

  /** Looks at every connection that a change may concern. */
  follow(signal: RightsSignal, open: Iterable<{ name: string; live: Document }>): void {
    const told = ++this.#told
    const looks = new Map<string, ReturnType<RightsWatch['look']>>()
    for (const { name, live } of open) {
      const parsed = parseDocumentName(name)
      if (!parsed) continue
      for (const connection of live.getConnections()) {
        const admitted = connection.context as Admitted
        if (!concerns(signal, personOf(admitted.caller), parsed.document)) continue
        const key = `${parsed.document} ${admitted.credential}`
        const looked = looks.get(key) ?? this.look(admitted.credential, parsed.document)
        looks.set(key, looked)
        this.#apply({ name, connection, admitted, told, looked })
      }
    }
  }

  /** Looks again at a connection whose rights were told to have changed while they were being looked at. */
  catchUp(name: string, connection: Connection): void {
    const parsed = parseDocumentName(name)
    const admitted = connection.context as Admitted
    if (!parsed || admitted.checkedAt === this.#told) return
    const looked = this.look(admitted.credential, parsed.document)
    this.#apply({ name, connection, admitted, told: this.#told, looked })
  }

  /** Who a credential stands for now, and what they may do; undefined parts are no more. */
  async look(credential: string, document: string): Promise<{ caller?: Caller; access?: Access }> {
    const caller = await this.#deps.identify(credential)
    if (!caller) return {}
    const access = await this.#deps.access(caller, document)
    return access === undefined ? { caller } : { caller, access }
  }

  #apply({ name, connection, admitted, told, looked }: Look): void {
    looked.then(
      ({ caller, access }) => {
        // The store may answer two looks in another order than that in which they began.
        if (told < admitted.checkedAt) return
        admitted.checkedAt = told
        if (!caller) return admitted.socket.disconnect(closeCodes.unauthenticated, 'the session has ended')
        if (access === undefined) return admitted.socket.disconnect(closeCodes.revoked, 'you no longer have access')
        const isChanged = access !== admitted.access
        admitted.caller = caller
        admitted.access = access
        connection.readOnly = isReadOnly(caller, access, name)
        // People change their names, too.
        admitted.socket.setIdentity(name, connection, identityOf(caller))
        if (isChanged && caller.kind === 'person') admitted.socket.tell(name, connection, writeAccessMessage(access))
      },
      (error: unknown) => {
        this.#deps.logger.error({ err: error }, 'changed rights could not be looked at')
        // What can't be looked at isn't allowed; the client keeps what it has and comes back.
        admitted.socket.disconnect(closeCodes.resync, 'the server could not check your rights; connect again')
      },
    )
  }
}

function personOf(caller: Caller): string {
  return caller.kind === 'person' ? caller.user.id : caller.invokedBy.id
}
