import type { Change } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { textIn } from '../support/client.ts'
import { call, openTheatre, type Stage, type Theatre } from './stage.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
})
afterAll(() => theatre.close())

const decide = (decision: 'accept' | 'reject', changeId?: string) =>
  call('decide_change', { decision, ...(changeId === undefined ? { all: true } : { changeId }) })

const changesOf = async ({ ana, id }: Stage): Promise<Change[]> =>
  (await ana.call<{ changes: Change[] }>('GET', `/api/documents/${id}/changes`)).body.changes

/** The document's markdown with suggestions left out. */
const textOf = async ({ ana, id }: Stage): Promise<string> => (await ana.markdown(id)).trim()

/** Ana suggests a replacement; returns the id of the change. */
async function suggest({ ana, id }: Stage, quote: string, replaceWith: string): Promise<string> {
  const made = await ana.call<Change>('POST', `/api/documents/${id}/changes`, { quote, replaceWith })
  expect(made.status).toBe(201)
  return made.body.id
}

test.each(['accept', 'reject'] as const)(
  '[UNDO-16] undo of a run that decided on a person’s suggestion opens it again, with its author: %s',
  async (decision) => {
    await theatre.withDocument('We saw teh cat.\n\nlast', async (stage) => {
      const change = await suggest(stage, 'teh', 'the')
      await until(() => stage.peer.fragment.toJSON().includes('<insertion'), 'Ana has the suggestion')
      const suggested = stage.peer.fragment.toJSON()
      const run = await stage.play([[decide(decision, change)]])
      const decided = decision === 'accept' ? 'We saw the cat.' : 'We saw teh cat.'
      expect(await textOf(stage)).toBe(`${decided}\n\nlast`)
      expect(await changesOf(stage)).toEqual([])
      expect(run.steps).toMatchObject([{ changed: true }])
      textIn(stage.peer.fragment, 1).insert(4, ' words')
      await stage.peer.saved()
      const undone = await stage.request('undo', run.id)
      expect(undone).toMatchObject({ status: 200, body: { undone: true } })
      const open = await changesOf(stage)
      expect(open).toMatchObject([{ id: change, author: { id: stage.ana.user.id, kind: 'person' } }])
      expect(await textOf(stage)).toBe('We saw teh cat.\n\nlast words')
      await until(() => stage.peer.fragment.toJSON() === suggested.replace('last', 'last words'), 'all see it again')
      expect((await stage.request('redo', run.id)).status).toBe(200)
      expect(await textOf(stage)).toBe(`${decided}\n\nlast words`)
      expect(await changesOf(stage)).toEqual([])
      expect((await stage.request('undo', run.id)).status).toBe(200)
      expect(await changesOf(stage)).toMatchObject([{ id: change }])
      const other = decision === 'accept' ? 'reject' : 'accept'
      const again = await stage.ana.call('POST', `/api/documents/${stage.id}/changes/${change}`, { decision: other })
      expect(again.status).toBe(200)
      expect(await textOf(stage)).toBe(`${other === 'accept' ? 'We saw the cat.' : 'We saw teh cat.'}\n\nlast words`)
    })
  },
)
