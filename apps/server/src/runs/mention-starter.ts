import type { FastifyBaseLogger } from 'fastify'
import type { OpenDocumentDeps } from '../collaboration/document/open-document.ts'
import { writerOf } from '../common/identity.ts'
import type { Signals } from '../common/signals.ts'
import type { RunStore } from './run-store.ts'
import type { MaybeUnstarted, UnstartedMentions } from './unstarted-mentions.ts'

/**
 * Starts runs for mentions. Their rows are stored in the transaction that appends the update with the mentions, so that
 * every stored mention either has exactly one run or never starts one. The runs are shown and queued afterwards.
 */
export function createMentionStarter(
  { runs, unstartedMentions, signals }: { runs: RunStore; unstartedMentions: UnstartedMentions; signals: Signals },
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
      // The stored runs are shown by the worker that takes them, and by the next start of the server.
      logger.error({ err: error, document }, 'a mention could not be shown')
    }
  }
  return (document) =>
    ({ mentions }, sender) => {
      if (mentions.length === 0) return { statements: [], stored: () => undefined }
      // Only users' mentions start runs; a mention written by an agent is plain text.
      const starting = mentions.flatMap((each) => (each.refused === undefined && sender.run === null ? [each] : []))
      const sent = mentions.map((mention): MaybeUnstarted => {
        const { requestId, refused } = mention
        if (sender.run !== null) return { requestId, reason: 'by_agent' }
        // Only the execution of the statements determines whether a named agent may work here.
        const reason = mention.agent === undefined ? 'too_many_waiting' : 'unknown_agent'
        return { requestId, reason: refused ?? reason }
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
