import { closeCodes } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { startCopydesk } from '../support/copydesk.ts'
import { join, signIn, textIn } from '../support/client.ts'

test('[LOG-15] text typed while the server is down is complete when the server is back', async () => {
  const server = await startCopydesk()
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'start' })
    const peer = await join(server.url, ana.token, id)
    const closed: unknown[] = []
    peer.socket.on('close', ({ event }: { event: { code?: number } }) => closed.push(event.code))
    let typed = ''
    const type = (): void => {
      const character = String.fromCodePoint(0x61 + (typed.length % 26))
      const text = textIn(peer.fragment, 0)
      text.insert(text.length, character)
      typed += character
    }
    type()
    await peer.saved()
    // The server dies with keystrokes in flight, and a line that is down has room for many more.
    for (let index = 0; index < 20; index++) type()
    const dead = server.kill()
    for (let index = 0; index < 20; index++) type()
    await dead
    await until(() => !peer.content.synced, 'the line is known to be down')
    for (let index = 0; index < 800; index++) type()
    await server.restart()
    await peer.saved()
    expect(textIn(peer.fragment, 0).toJSON()).toBe(`start${typed}`)

    // A browser that is told that something was too large doesn't come back by itself.
    expect(closed).not.toContain(closeCodes.tooLarge)
    const reader = await join(server.url, ana.token, id)
    expect(textIn(reader.fragment, 0).toJSON()).toBe(`start${typed}`)
    reader.close()
    peer.close()
  } finally {
    await server.dispose()
  }
})
