import type { Run } from '@copydesk/protocol'
import { createModelServer, type ModelServer, type ModelServerChunk } from '@copydesk/agent/testing'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'
import { ended, join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'

/** A document with a person in it, and an agent with scripted answers. */
export type UndoScenario = {
  server: Copydesk
  model: ModelServer
  ana: TestPerson
  id: string
  peer: TestPeer
  /** Has the agent answer with each of these rounds, and answers the run when it has ended. */
  play(rounds: readonly (readonly ModelServerChunk[])[]): Promise<Run>
  /** Asks for `undo` or `redo` of a run or one step. */
  request(kind: 'undo' | 'redo', run: string, step?: string): Promise<{ status: number; body: Run }>
  /** Kills the server, restarts it, and joins again. */
  restart(): Promise<void>
}

/** A server with a played model, for several tests one after the other. */
export type UndoServer = {
  /** Runs `play` with a document of this markdown. */
  withDocument(markdown: string, play: (scenario: UndoScenario) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Starts the server and its model. */
export async function startUndoServer(): Promise<UndoServer> {
  let rounds: readonly (readonly ModelServerChunk[])[] = []
  const model = await createModelServer({
    provider: 'openai',
    script: ({ results }) => {
      const chunks = rounds[results.length === 0 ? 0 : roundAfter(rounds, results.length)]
      return chunks ? { chunks } : 'Done.'
    },
  })
  const server = await startCopydesk(model.environment)
  return {
    async withDocument(markdown, play) {
      const ana = await signIn(server.url, 'Ana')
      const { id } = await ana.create({ markdown })
      const scenario: UndoScenario = {
        server,
        model,
        ana,
        id,
        peer: await join(server.url, ana.token, id),
        async play(played) {
          rounds = played
          const { run } = await ana.ask(id, 'do it')
          return ended(scenario.peer, run.id)
        },
        request: (kind, run, step) =>
          ana.call<Run>('POST', `/api/documents/${id}/runs/${run}/${kind}`, step === undefined ? {} : { step }),
        async restart() {
          scenario.peer.close()
          await server.restart()
          scenario.peer = await join(server.url, ana.token, id)
        },
      }
      try {
        await play(scenario)
      } finally {
        scenario.peer.close()
      }
    },
    async close() {
      await server.dispose()
      await model.close()
    },
  }
}

/** A call of a tool. */
export function call(name: string, args: Record<string, unknown>): ModelServerChunk {
  return { toolCall: { name, arguments: args } }
}

/** Which round comes after so many tool results. */
function roundAfter(rounds: readonly (readonly ModelServerChunk[])[], results: number): number {
  let seen = 0
  const index = rounds.findIndex((chunks) => {
    seen += chunks.filter((chunk) => 'toolCall' in chunk).length
    return seen >= results
  })
  return index < 0 ? rounds.length : index + 1
}
