import type { Message, Run } from '@copydesk/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { call, startUndoServer, type UndoServer } from './undo-server.ts'

let undoServer: UndoServer
beforeAll(async () => {
  undoServer = await startUndoServer()
})
afterAll(() => undoServer.close())

type ReceivedEvent = { event: string; data: unknown }

/** Reads a document's events as a program would, until `close`. */
async function listen(url: string, token: string, document: string) {
  const controller = new AbortController()
  const response = await fetch(`${url}/api/documents/${document}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: controller.signal,
  })
  const heard: ReceivedEvent[] = []
  let text = ''
  let ended = false
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (event !== undefined && data !== undefined) heard.push({ event, data: JSON.parse(data) as unknown })
      }
    }
  })()
    .catch(() => undefined)
    .finally(() => (ended = true))
  return {
    response,
    heard,
    ended: () => ended,
    async close() {
      controller.abort()
      await reading
    },
  }
}

test('[EVENT-1] a run, its message and its undo are published as they happen', async () => {
  await undoServer.withDocument('one', async ({ server, ana, id, play, request }) => {
    const stream = await listen(server.url, ana.token, id)
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.response.headers.get('cache-control')).toBe('no-store')
    const run = await play([[call('edit_document', { find: 'one', replace: 'ONE' })]])
    const runs = (): Run[] => stream.heard.flatMap(({ event, data }) => (event === 'run' ? [data as Run] : []))
    const messages = (): Message[] =>
      stream.heard.flatMap(({ event, data }) => (event === 'message' ? [data as Message] : []))
    await until(() => runs().at(-1)?.status === 'completed', 'the end of the run is published')
    expect(runs()[0]).toMatchObject({ id: run.id, status: 'queued' })
    await until(() => messages().at(-1)?.status === 'complete' && messages().length > 1, 'the answer is published')
    expect(messages()[0]).toMatchObject({ role: 'user', text: 'do it' })
    expect(messages().at(-1)).toMatchObject({ role: 'agent', text: 'Done.', run: run.id })
    expect(runs().at(-1)).toEqual(await ana.run(id, run.id))
    await request('undo', run.id)
    await until(() => runs().at(-1)?.undone === true, 'the undo is published')
    await stream.close()
  })
})

test('[EVENT-4] a section that is rewritten is published as doc_update, and undone like everything else', async () => {
  await undoServer.withDocument(
    '# Plan\n\n## Scope\n\nold\n\n## Cost\n\nmuch',
    async ({ server, ana, id, play, request }) => {
      const stream = await listen(server.url, ana.token, id)
      const before = await ana.markdown(id)
      const rewrite = { operation: 'replace', sectionIndex: 1, content: 'new **words**' }
      const run = await play([[call('update_section', rewrite)]])
      await until(() => stream.heard.some(({ event }) => event === 'doc_update'), 'the section is published')
      const updates = stream.heard.filter(({ event }) => event === 'doc_update')
      expect(updates).toHaveLength(1)
      expect(updates[0]?.data).toMatchObject({ operation: 'replace', sectionIndex: 1, run: run.id })
      expect(JSON.stringify(updates[0]?.data)).toContain('<strong>words</strong>')
      expect(await ana.markdown(id)).toContain('new **words**')
      expect((await request('undo', run.id)).status).toBe(200)
      expect(await ana.markdown(id)).toBe(before)
      await stream.close()
    },
  )
})

test('[EVENT-7] strangers are refused, and the stream ends with the server', async () => {
  await undoServer.withDocument('one', async ({ server, ana, id, restart }) => {
    expect((await listen(server.url, 'wrong', id)).response.status).toBe(401)
    expect((await listen(server.url, ana.token, 'unknown')).response.status).toBe(404)
    const stream = await listen(server.url, ana.token, id)
    // A server that a stream keeps from closing ends with 1, by its own deadline.
    expect(await server.stop()).toBe(0)
    await until(() => stream.ended(), 'the stream has ended')
    await restart()
  })
})
