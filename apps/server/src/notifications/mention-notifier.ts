import type { OpenDocumentDeps } from '../collaboration/document/open-document.ts'
import type { Signals } from '../common/signals.ts'
import { type Notifications, publishNotified } from './notifications.ts'

/**
 * Notifies people mentioned in the text, in the transaction that appends the update with the mention; the sender of the
 * update is the author. A mention restored by undo or redo keeps its `requestId` and notifies only once.
 */
export function createMentionNotifier({
  notifications,
  signals,
}: {
  notifications: Notifications
  signals: Signals
}): (document: string) => OpenDocumentDeps['statementsFor'] {
  return (document) =>
    ({ people }, { actor, run }) => {
      // Updates by runs notify nobody.
      const told = run === null ? people.filter(({ person }) => person !== actor) : []
      return {
        statements: notifications.mentionStatements(document, actor, told),
        stored: () => publishNotified(signals, [...new Set(told.map(({ person }) => person))]),
      }
    }
}
