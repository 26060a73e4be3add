import type { FastifyBaseLogger } from 'fastify'
import type { OpenDocumentDeps } from '../collaboration/open-document.ts'
import { writerOf } from '../collaboration/sender.ts'
import type { Services } from '../services.ts'
import type { MaybeUnstarted } from './unstarted-mentions.ts'

/**
 * Starts runs for mentions: their rows are stored in the very transaction that appends the update which sent them, so
 * that a mention on disk has its run, or is used up, and none has two; showing and queueing follow.
 */
export function createMentionStarter(
  { runs, unstartedMentions, signals }: Pick<Services, 'runs' | 'unstartedMentions' | 'signals'>,
  logger: FastifyBaseLogger,
): (document: string) => OpenDocumentDeps['statementsFor'] {
  const announce = async (document: string, mentions: readonly { requestId: string }[]): Promise<void> => {
    try {
      for (const { requestId } of mentions) {
        const run = await runs.showMentionRun(document, requestId)
        if (run) signals.publish({ kind: 'run-queued', run: run.id })
      }
      await unstartedMentions.show(document)
    } catch (error) {
      // What is stored is shown by the worker that takes the run, and when the server starts.
      logger.error({ err: error, document }, 'a mention could not be shown')
    }
  }
  return (document) =>
    ({ mentions }, sender) => {
      if (mentions.length === 0) return { statements: [], stored: () => undefined }
      // Only people's mentions start runs: what an agent writes is text.
      const starting = mentions.flatMap((each) => (each.refused === undefined && sender.run === null ? [each] : []))
      const sent = mentions.map(({ requestId, refused }): MaybeUnstarted => {
        const reason = sender.run === null ? (refused ?? 'too_many_waiting') : 'by_agent'
        return { requestId, reason }
      })
      return {
        statements: [
          ...starting.map((mention) => runs.mentionStatement(document, mention, sender)),
          ...unstartedMentions.statements(document, sent, writerOf(sender)),
        ],
        stored: () => void announce(document, starting),
      }
    }
}
