import type { Account, DocumentSummary } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { type AccountHolder, signInAgain, startServerOfTwo } from '../../testing/test-accounts.ts'
import type { TestEditor, TestServer } from '../../testing/test-server.ts'

let server: TestServer
let ana: AccountHolder
let ben: AccountHolder

beforeAll(async () => {
  ;({ server, ana, ben } = await startServerOfTwo())
})
afterAll(() => server.dispose())

type State = { user?: { id?: string; name?: string; kind?: string }; cursor?: unknown }

/** The awareness state of one user that another user (or the same one) sees. */
function seenBy(watcher: TestEditor, { doc }: TestEditor): State | undefined {
  return watcher.provider.awareness?.getStates().get(doc.clientID)
}

/** A caret at the beginning of the document's text, identified by its association. */
function caret(assoc: number) {
  const at = { type: null, tname: 'default', item: null, assoc }
  return { anchor: at, head: at }
}

test('[PRES-10] a changed name reaches who has a document open with them within a second, in all their windows, and carets stay', async () => {
  const documents: DocumentSummary[] = []
  for (const markdown of ['one', 'two']) {
    const { body } = await ana.call<DocumentSummary>('POST', '/api/documents', { markdown })
    await ana.call('PUT', `/api/documents/${body.id}/members`, { members: [{ id: ben.user.id, role: 'viewer' }] })
    documents.push(body)
  }
  const [one, two] = documents.map(({ id }) => id) as [string, string]
  const again = await signInAgain(server.url, ben)
  const [anas, anasOther] = [await server.join(ana.token, one), await server.join(ana.token, two)]
  const [bens, bensOther] = [await server.join(ben.token, one), await server.join(again.token, two)]
  for (const editor of [bens, bensOther]) editor.provider.setAwarenessField('cursor', caret(0))
  await until(() => seenBy(anas, bens)?.cursor != null && seenBy(anasOther, bensOther)?.cursor != null, 'Ben is seen')
  let closed = 0
  for (const { socket } of [bens, bensOther]) socket.on('close', () => closed++)

  for (const name of ['Benedikt', 'Benno', 'Ben Long']) {
    // A caret that moves at the same time must also arrive.
    const changing = ben.call<Account>('PATCH', '/api/auth/account', { name })
    bens.provider.setAwarenessField('cursor', caret(-1))
    bensOther.provider.setAwarenessField('cursor', caret(1))
    expect((await changing).body.user.name).toBe(name)
    const user = { ...ben.user, name, kind: 'person' }
    const isSeen = (watcher: TestEditor, whom: TestEditor, assoc: number): boolean =>
      JSON.stringify(seenBy(watcher, whom)) === JSON.stringify({ user, cursor: caret(assoc) })
    await until(() => isSeen(anas, bens, -1) && isSeen(anasOther, bensOther, 1), `${name} is seen`)
    // Also in their own windows, which keep their own awareness state.
    await until(() => seenBy(bens, bens)?.user?.name === name, 'Ben sees it himself')
    for (const [editor, assoc] of [
      [bens, 1],
      [bensOther, -1],
    ] as const) {
      editor.provider.setAwarenessField('cursor', caret(assoc))
    }
    await until(() => isSeen(anas, bens, 1) && isSeen(anasOther, bensOther, -1), 'his carets go on')
  }
  expect(closed).toBe(0)
  const late = await server.join(ana.token, one)
  await until(() => seenBy(late, bens)?.user?.name === 'Ben Long', 'who comes later sees it')
  bens.close()
  await until(() => seenBy(anas, bens) === undefined, 'Ben is seen to leave')
  for (const editor of [anas, anasOther, bensOther, late]) editor.close()
})
