import type { FastifyBaseLogger } from 'fastify'
import type { OpenDocumentDeps } from '../collaboration/open-document.ts'
import type { Services } from '../services.ts'

/**
 * Starts runs for mentions: their rows are stored in the very transaction that appends the update which sent them, so
 * that a mention on disk has its run and none has two; showing and queueing follow.
 */
export function createMentionStarter(
  { runs, signals }: Pick<Services, 'runs' | 'signals'>,
  logger: FastifyBaseLogger,
): (document: string) => OpenDocumentDeps['statementsFor'] {
  const announce = async (document: string, requestId: string): Promise<void> => {
    try {
      const run = await runs.showMentionRun(document, requestId)
      if (run) signals.publish({ kind: 'run-queued', run: run.id })
    } catch (error) {
      // The run is stored; the worker shows it when it takes it.
      logger.error({ err: error, document }, 'a mention could not be shown')
    }
  }
  return (document) =>
    ({ mentions }, sender) => {
      // Only people's mentions start runs: what an agent writes is text.
      const started = sender.run === null ? mentions : []
      return {
        statements: started.map(({ requestId, instruction }) =>
          runs.mentionStatement(document, requestId, instruction, sender.actor),
        ),
        stored: () => {
          for (const { requestId } of started) void announce(document, requestId)
        },
      }
    }
}
