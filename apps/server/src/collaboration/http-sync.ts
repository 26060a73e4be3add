import { contentName } from '@copydesk/schema'
import { type Refusal, refuse } from '../common/errors.ts'
import type { Admission, OpenDocument } from './document/open-document.ts'
import type { Sender } from '../common/identity.ts'

/** Whether an update that arrived over HTTP is now in the log, or the reason of its refusal. */
export type SyncOutcome = { ok: true } | Refusal

/**
 * Applies an update to a document's content for a person with write access, with the same checks as for a frame. Calls
 * `check` right before the update is tried; `check` throws if the person has lost the right. Resolves when the update
 * is on disk.
 */
export type ApplyHttpUpdate = (
  document: string,
  update: Uint8Array,
  sender: Sender,
  check: () => Promise<void>,
) => Promise<SyncOutcome>

/** Opens a document during `work`; undefined if the document does not exist. */
export type WithOpenDocument = <T>(name: string, work: (document: OpenDocument) => Promise<T>) => Promise<T | undefined>

const gone = refuse('not_found', 'There is no such document.', 'It may have been deleted. Copy what you wrote.')

/** HTTP sync for updates that are too large for a frame. They are handled like updates from a socket. */
export function createHttpSync(withOpenDocument: WithOpenDocument): ApplyHttpUpdate {
  return async (document, update, sender, check) => {
    const taken = await withOpenDocument(contentName(document), async (open) => {
      await check()
      return outcomeOf(await admit(open, update, sender))
    })
    return taken ?? gone
  }
}

async function admit(open: OpenDocument, update: Uint8Array, sender: Sender) {
  const admission = open.admit(update, true, sender)
  return admission.kind === 'large' ? open.admitInParts(update, true, sender, () => true) : admission
}

async function outcomeOf(admission: Exclude<Admission, { kind: 'large' }>): Promise<SyncOutcome> {
  switch (admission.kind) {
    case 'known':
      await admission.stored
      return { ok: true }
    case 'appending': {
      const { ok } = await admission.stored
      return ok ? { ok } : gone
    }
    case 'gap':
      return refuse(
        'conflict',
        'The update builds on something the server doesn’t have.',
        'Send everything that the server lacks in one update: Y.encodeStateAsUpdate(doc, its state vector).',
      )
    case 'refused':
      return refusal(admission)
  }
}

function refusal({ code, message, hint = '' }: Extract<Admission, { kind: 'refused' }>): SyncOutcome {
  switch (code) {
    case 'busy':
      return refuse('unavailable', 'The server is busy with other large updates.', 'Try again.')
    case 'invalid':
      return refuse('invalid_input', `body: ${message}.`, 'Send a Yjs update (V1).')
    case 'quota_exceeded':
      return refuse(code, message, hint)
    case 'too_costly':
    case 'too_many_client_ids':
    case 'document_full':
      return refuse('too_large', `${code}: ${message}.`, 'See the limits in docs/protocol.md.')
    case 'schema_refused':
    case 'client_id_taken':
    case 'client_id_unknown':
      return refuse(
        'invalid_input',
        `body: ${code}: ${message}.`,
        'Send only what docs/protocol.md lists, under client ids of your own.',
      )
  }
}
