import type { OpenDocumentDeps } from '../collaboration/open-document.ts'
import type { Services } from '../services.ts'
import { publishNotified } from './notifications.ts'

/**
 * Notifies people who are mentioned in the text, in the very transaction that appends the update which brought the
 * mention in: whoever sent that update is who mentions. What undo and redo bring back has the same `requestId` and is
 * told once.
 */
export function createMentionNotifier({
  notifications,
  signals,
}: Pick<Services, 'notifications' | 'signals'>): (document: string) => OpenDocumentDeps['statementsFor'] {
  return (document) =>
    ({ people }, { actor, run }) => {
      // What an agent writes is text: it calls nobody.
      const told = run === null ? people.filter(({ person }) => person !== actor) : []
      return {
        statements: notifications.mentionStatements(document, actor, told),
        stored: () => publishNotified(signals, [...new Set(told.map(({ person }) => person))]),
      }
    }
}
