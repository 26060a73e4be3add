import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { join as joinPath } from 'node:path'
import { expect, test } from 'vitest'
import { openRawDocument, type RawClient, syncFrame, until } from '@copydesk/testing'
import { join, signIn, type TestPeer, textIn } from '../support/client.ts'
import { startCopydesk } from '../support/copydesk.ts'

const text = (peer: TestPeer): string => textIn(peer.fragment, 0).toJSON()

// A server that has not closed after 5 s ends with exit code 1 by its own clock: code 0 tells that it was in time.

test('[STOP-1] SIGTERM while people type: 1012, exit code 0 within 5 s, and all come back with nothing lost', async () => {
  const server = await startCopydesk()
  const peers: TestPeer[] = []
  let timer: NodeJS.Timeout | undefined
  try {
    const person = await signIn(server.url, 'Ana')
    const { id } = await person.create({ markdown: 'start' })
    const codes: number[] = []
    for (let index = 0; index < 3; index++) {
      const peer = await join(server.url, person.token, id)
      peer.socket.on('close', ({ event }: { event: { code: number } }) => codes.push(event.code))
      peers.push(peer)
    }
    const words: string[] = []
    timer = setInterval(() => {
      // The server refuses too many concurrent insertions at one place, however long it takes to start.
      if (words.length === 600) return
      words.push(`w${words.length}.`)
      textIn(peers[words.length % 3]!.fragment, 0).insert(0, words.at(-1)!)
    }, 2)
    await until(() => words.length > 50, 'people type')
    expect(await server.stop()).toBe(0)
    await until(() => codes.length >= 3, 'the sockets are closed')
    expect(codes.slice(0, 3)).toEqual([1012, 1012, 1012])
    await server.restart()
    clearInterval(timer)
    for (const peer of peers) await peer.saved()
    const reader = await join(server.url, person.token, id)
    peers.push(reader)
    for (const word of words) expect(text(reader)).toContain(word)
    for (const peer of peers) await until(() => text(peer) === text(reader), 'all have the same text')
  } finally {
    clearInterval(timer)
    for (const peer of peers) peer.close()
    await server.dispose()
  }
})

test('[STOP-1] a client that sends before it has read the close frame gets close code 1012', async () => {
  const server = await startCopydesk()
  let client: RawClient | undefined
  try {
    const person = await signIn(server.url, 'Ana')
    const { id } = await person.create({ markdown: 'start' })
    client = await openRawDocument(server.url, id, person.token)
    const stopping = server.stop()
    // This thread is blocked while the server sends the close frame.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    for (let times = 0; times < 20; times++) client.send(syncFrame(id, 0, Uint8Array.of(0)))
    expect((await client.whenClosed()).code).toBe(1012)
    expect(await stopping).toBe(0)
  } finally {
    client?.end()
    await server.dispose()
  }
})

test('[STOP-2] SIGTERM while an append waits for the disk: what was acknowledged is there, and the rest comes again', async () => {
  const server = await startCopydesk()
  let peer: TestPeer | undefined
  const file = new DatabaseSync(joinPath(server.dataDir, 'copydesk.sqlite'), { timeout: 0 })
  try {
    const person = await signIn(server.url, 'Ana')
    const { id } = await person.create({ markdown: 'start' })
    peer = await join(server.url, person.token, id)
    // The answer to the first sync is a change that waits for its acknowledgement too.
    await peer.saved()
    const lock = (): boolean => {
      try {
        file.exec('BEGIN IMMEDIATE')
        return true
      } catch {
        return false
      }
    }
    await until(lock, 'the database file is free')
    textIn(peer.fragment, 0).insert(0, 'waiting ')
    expect(peer.content.unsyncedChanges).toBe(1)
    const stopping = server.stop()
    await until(async () => !(await answers(server.url)), 'the server takes no more requests')
    expect(peer.content.unsyncedChanges).toBe(1)
    file.exec('ROLLBACK')
    expect(await stopping).toBe(0)
    await server.restart()
    await peer.saved()
    expect(await person.markdown(id)).toBe('waiting start\n')
  } finally {
    file.close()
    peer?.close()
    await server.dispose()
  }
})

test('[STOP-3] SIGTERM during a request that never ends, an event stream and sockets that answer nothing: exit code 0 within 5 s', async () => {
  const server = await startCopydesk()
  const lines: Socket[] = []
  const lineWith = async (head: readonly string[]): Promise<Socket> => {
    const line = connect(server.port, '127.0.0.1')
    lines.push(line)
    line.on('error', () => undefined)
    await once(line, 'connect')
    line.write(`${[...head, 'host: 127.0.0.1'].join('\r\n')}\r\n\r\n`)
    return line
  }
  try {
    const person = await signIn(server.url, 'Ana')
    const { id } = await person.create({ markdown: 'start' })
    const authorization = `authorization: Bearer ${person.token}`
    const json = ['content-type: application/json', 'content-length: 100', authorization]
    const half = await lineWith(['POST /api/documents HTTP/1.1', ...json])
    half.write('{"title":')
    const events = await lineWith([`GET /api/documents/${id}/events HTTP/1.1`, authorization])
    const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`
    const upgrade = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', key]
    const silent = await lineWith(['GET /collab HTTP/1.1', ...upgrade])
    await Promise.all([once(events, 'data'), once(silent, 'data')])
    expect(await server.stop()).toBe(0)
  } finally {
    for (const line of lines) line.destroy()
    await server.dispose()
  }
})

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok
  } catch {
    return false
  }
}
