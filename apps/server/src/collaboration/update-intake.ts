import { contentName } from '@copydesk/schema'
import type { Services } from '../services.ts'
import { ClientIds } from './client-ids.ts'
import { DocumentHead, type TriedUpdate } from './document-head.ts'
import type { OpenDocumentDeps } from './open-document.ts'
import type { Sender } from './sender.ts'

/** Whether an update that came outside a socket is in the log now, or why not. */
export type Intake =
  | { ok: true }
  | { ok: false; code: 'not_found' | 'conflict' | 'invalid_input'; message: string; hint: string }

/**
 * Takes an update of a document's content from a person who may write it, with the checks of a frame. `check` is asked right before it is
 * stored, and throws if they may no more. Resolves when it is on disk.
 */
export type TakeUpdate = (
  document: string,
  update: Uint8Array,
  sender: Sender,
  check: () => Promise<void>,
) => Promise<Intake>

const gone: Intake = {
  ok: false,
  code: 'not_found',
  message: 'There is no such document.',
  hint: 'It may have been deleted. Copy what you wrote.',
}

/**
 * The way home for updates that are too large for a frame. Needs no open document; whoever has it open is shown the update like any
 * other row of the log. One at a time: each may be large, and each reads the whole document.
 */
export function createUpdateIntake(
  services: Pick<Services, 'log' | 'signals' | 'store' | 'now'>,
  statementsFor: (document: string) => OpenDocumentDeps['statementsFor'],
): TakeUpdate {
  const { log, signals } = services
  let last: Promise<unknown> = Promise.resolve()
  const take: TakeUpdate = async (document, update, sender, check) => {
    const name = contentName(document)
    const clients = new ClientIds(services, name)
    const tried = await tryOnHead(log, name, update, sender, clients)
    if (tried === undefined) return gone
    if (tried.kind === 'known') {
      await log.sync()
      return { ok: true }
    }
    if (tried.kind !== 'new') return refusal(tried)
    // It may have waited for others, and large ones take their time.
    await check()
    const { statements, stored } = statementsFor(document)(tried.findings, sender)
    const { actor, run, epoch } = sender
    const also = [...statements, ...clients.bind(tried.clients, sender)]
    const result = await log.append({ name, bytes: tried.bytes, actor, run, epoch, also })
    if (!result.ok) return gone
    stored()
    signals.publish({ kind: 'log', name, seq: result.seq, update: tried.bytes })
    return { ok: true }
  }
  return (document, update, sender, check) => {
    const taken = last.then(() => take(document, update, sender, check))
    last = taken.catch(() => undefined)
    return taken
  }
}

async function tryOnHead(
  log: Services['log'],
  name: string,
  update: Uint8Array,
  sender: Sender,
  clients: ClientIds,
): Promise<TriedUpdate | undefined> {
  const loaded = await log.load(name)
  if (!loaded) return undefined
  await clients.load()
  const head = new DocumentHead(loaded.doc)
  try {
    return head.try(update, true, true, (client, isKnown) => clients.ownershipOf(client, isKnown, sender))
  } finally {
    head.destroy()
  }
}

function refusal(tried: Extract<TriedUpdate, { kind: 'gap' | 'invalid' | 'refused' }>): Intake {
  switch (tried.kind) {
    case 'gap':
      return {
        ok: false,
        code: 'conflict',
        message: 'The update builds on something the server doesn’t have.',
        hint: 'Send everything that the server lacks in one update: Y.encodeStateAsUpdate(doc, its state vector).',
      }
    case 'refused':
      return {
        ok: false,
        code: 'invalid_input',
        message: `body: ${tried.code}: ${tried.message}.`,
        hint: 'Send only what docs/protocol.md lists, under client ids of your own.',
      }
    case 'invalid':
      return { ok: false, code: 'invalid_input', message: `body: ${tried.message}.`, hint: 'Send a Yjs update (V1).' }
  }
}
