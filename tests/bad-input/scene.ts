import { expect } from 'vitest'
import * as Y from 'yjs'
import { openRaw, openRawDocument, type RawClient, until } from '@copydesk/testing'
import { join, signIn, type TestPeer, type TestPerson, textIn } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

/** A server with one document that two honest people have open while another client misbehaves. */
export type Scene = {
  server: Copydesk
  url: string
  person: TestPerson
  id: string
  typist: TestPeer
  watcher: TestPeer
  /** A client of a third person that misbehaves, with the document open. It leaves with the scene. */
  openAttacker(name?: string): Promise<RawClient>
  /** A client that has opened nothing yet. */
  openUnauthenticated(query?: string): Promise<RawClient>
  /**
   * Honest users are not affected: what one types is acknowledged, the other sees it, a new client finds all of it, no
   * one was disconnected, and the server's process goes on without complaint.
   */
  expectUsersUnaffected(): Promise<void>
  /** Ends everything. The process must be the one that was started: it obeys and ends without an error. */
  close(): Promise<void>
}

/** The key of one page: under whatever name its user goes on, what it sends under its client ids is its own. */
export const attackerQuery = '?client=the-page-of-many-rogues'

// An account with more refusals in a row is blocked for a minute.
const attackersOfAnAccount = 20

/** Opens a scene. */
export async function openScene(env: Record<string, string> = {}): Promise<Scene> {
  const server = await startCopydesk(env)
  const { url } = server
  const person = await signIn(url, 'Ana')
  const { id } = await person.create({ markdown: 'Start' })
  const typist = await join(url, person.token, id)
  let mallory = await signIn(url, 'Mallory')
  const watcher = await join(url, (await signIn(url, 'Bob')).token, id)
  let disconnects = 0
  for (const { socket } of [typist, watcher]) socket.on('close', () => disconnects++)
  const words: string[] = []
  const attackers: RawClient[] = []

  const closeAtEnd = (client: RawClient): RawClient => {
    attackers.push(client)
    return client
  }
  return {
    server,
    url,
    person,
    id,
    typist,
    watcher,
    async openAttacker(name = id) {
      if (attackers.length % attackersOfAnAccount === attackersOfAnAccount - 1) mallory = await signIn(url, 'Mallory')
      return closeAtEnd(await openRawDocument(url, name, mallory.token, { query: attackerQuery }))
    },
    openUnauthenticated: async (query) => closeAtEnd(await openRaw(url, query)),
    async expectUsersUnaffected() {
      expect((await fetch(`${url}/healthz`)).status, server.output()).toBe(200)
      const word = ` word${words.length};`
      const text = textIn(typist.fragment, 0)
      text.insert(text.length, word)
      words.push(word)
      await typist.saved()
      await until(() => textIn(watcher.fragment, 0).toJSON().includes(word), 'the other sees what was typed')
      const fresh = await join(url, person.token, id)
      try {
        const found = textIn(fresh.fragment, 0).toJSON()
        expect(words.filter((each) => !found.includes(each))).toEqual([])
        await until(() => isSame(fresh.doc, typist.doc) && isSame(fresh.doc, watcher.doc), 'all copies are the same')
      } finally {
        fresh.close()
      }
      expect(disconnects, 'disconnects of honest people').toBe(0)
      expect(server.output()).not.toMatch(/unhandled|uncaught|heap out of memory|"level":(50|60)/i)
    },
    async close() {
      for (const attacker of attackers) attacker.end()
      typist.close()
      watcher.close()
      const code = await server.stop()
      const output = server.output()
      await server.dispose()
      expect(code, output).toBe(0)
    },
  }
}

function isSame(one: Y.Doc, other: Y.Doc): boolean {
  return (
    Buffer.compare(Y.encodeStateVector(one), Y.encodeStateVector(other)) === 0 &&
    one.getXmlFragment('default').toString() === other.getXmlFragment('default').toString()
  )
}
