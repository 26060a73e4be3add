import type { Change } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { textIn } from '../support/client.ts'
import { call, startUndoServer, type UndoScenario, type UndoServer } from './undo-server.ts'

let undoServer: UndoServer
beforeAll(async () => {
  undoServer = await startUndoServer()
})
afterAll(() => undoServer.close())

const decide = (decision: 'accept' | 'reject', changeId?: string) =>
  call('decide_change', { decision, ...(changeId === undefined ? { all: true } : { changeId }) })

const changesOf = async ({ ana, id }: UndoScenario): Promise<Change[]> =>
  (await ana.call<{ changes: Change[] }>('GET', `/api/documents/${id}/changes`)).body.changes

/** The document's markdown with suggestions left out. */
const textOf = async ({ ana, id }: UndoScenario): Promise<string> => (await ana.markdown(id)).trim()

/** Ana suggests a replacement; returns the id of the change. */
async function suggest({ ana, id }: UndoScenario, quote: string, replaceWith: string): Promise<string> {
  const made = await ana.call<Change>('POST', `/api/documents/${id}/changes`, { quote, replaceWith })
  expect(made.status).toBe(201)
  return made.body.id
}

test.each(['accept', 'reject'] as const)(
  '[UNDO-16] undo of a run that decided on a person’s suggestion opens it again, with its author: %s',
  async (decision) => {
    await undoServer.withDocument('We saw teh cat.\n\nlast', async (scenario) => {
      const change = await suggest(scenario, 'teh', 'the')
      await until(() => scenario.peer.fragment.toJSON().includes('<insertion'), 'Ana has the suggestion')
      const suggested = scenario.peer.fragment.toJSON()
      const run = await scenario.play([[decide(decision, change)]])
      const decided = decision === 'accept' ? 'We saw the cat.' : 'We saw teh cat.'
      expect(await textOf(scenario)).toBe(`${decided}\n\nlast`)
      expect(await changesOf(scenario)).toEqual([])
      expect(run.steps).toMatchObject([{ changed: true }])
      textIn(scenario.peer.fragment, 1).insert(4, ' words')
      await scenario.peer.saved()
      const undone = await scenario.request('undo', run.id)
      expect(undone).toMatchObject({ status: 200, body: { undone: true } })
      const open = await changesOf(scenario)
      expect(open).toMatchObject([{ id: change, author: { id: scenario.ana.user.id, kind: 'person' } }])
      expect(await textOf(scenario)).toBe('We saw teh cat.\n\nlast words')
      await until(() => scenario.peer.fragment.toJSON() === suggested.replace('last', 'last words'), 'all see it again')
      expect((await scenario.request('redo', run.id)).status).toBe(200)
      expect(await textOf(scenario)).toBe(`${decided}\n\nlast words`)
      expect(await changesOf(scenario)).toEqual([])
      expect((await scenario.request('undo', run.id)).status).toBe(200)
      expect(await changesOf(scenario)).toMatchObject([{ id: change }])
      const other = decision === 'accept' ? 'reject' : 'accept'
      const again = await scenario.ana.call('POST', `/api/documents/${scenario.id}/changes/${change}`, {
        decision: other,
      })
      expect(again.status).toBe(200)
      expect(await textOf(scenario)).toBe(`${other === 'accept' ? 'We saw the cat.' : 'We saw teh cat.'}\n\nlast words`)
    })
  },
)
