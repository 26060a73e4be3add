import { HocuspocusProviderWebsocket, MessageType } from '@hocuspocus/provider'
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeUpdate } from 'y-protocols/sync'
import * as Y from 'yjs'
import { BatchingProvider } from './batching-provider.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * A provider without a connection, the changes of its document with the number of transactions, and a peer that writes.
 */
function scene() {
  const websocketProvider = new HocuspocusProviderWebsocket({ url: 'ws://127.0.0.1:1', autoConnect: false })
  const provider = new BatchingProvider({ websocketProvider, name: 'd', document: new Y.Doc(), token: 'x' })
  const seen = { transactions: 0, local: 0 }
  provider.document.on('afterTransaction', ({ local, changed }: Y.Transaction) => {
    if (changed.size === 0) return
    seen.transactions++
    if (local) seen.local++
  })
  const other = new Y.Doc()
  other.on('update', (update: Uint8Array) => {
    const encoder = createEncoder()
    writeVarString(encoder, 'd')
    writeVarUint(encoder, MessageType.Sync)
    writeUpdate(encoder, update)
    provider.onMessage(new MessageEvent('message', { data: toUint8Array(encoder) }))
  })
  const write = (text: string) => other.getText('t').insert(other.getText('t').length, text)
  const text = () => provider.document.getText('t').toJSON()
  const close = () => {
    provider.destroy()
    websocketProvider.destroy()
  }
  return { provider, seen, write, text, close }
}

test('what comes after a pause is let in at once, what comes in a row together', () => {
  const { seen, write, text, close } = scene()
  write('a')
  expect(text()).toBe('a')
  write('b')
  write('c')
  expect(text()).toBe('a')
  vi.advanceTimersByTime(100)
  expect(text()).toBe('abc')
  expect(seen).toEqual({ transactions: 2, local: 0 })
  vi.advanceTimersByTime(100)
  write('d')
  expect(text()).toBe('abcd')
  close()
})

test('what is held comes in its order when it is let in, and is not let in by time', () => {
  const { provider, seen, write, text, close } = scene()
  provider.hold()
  write('a')
  write('b')
  vi.advanceTimersByTime(10_000)
  expect(text()).toBe('')
  provider.release()
  expect(text()).toBe('ab')
  expect(seen.transactions).toBe(1)
  close()
})

test('a person who begins to compose in between is not interrupted', () => {
  const { provider, write, text, close } = scene()
  write('a')
  write('b')
  provider.hold()
  vi.advanceTimersByTime(100)
  expect(text()).toBe('a')
  provider.release()
  expect(text()).toBe('ab')
  close()
})

test('what is asked or acknowledged does not wait', () => {
  const { provider, close } = scene()
  provider.hold()
  const encoder = createEncoder()
  writeVarString(encoder, 'd')
  writeVarUint(encoder, MessageType.Stateless)
  writeVarUint8Array(encoder, new TextEncoder().encode('hello'))
  const heard = vi.fn<(event: { payload: string }) => void>()
  provider.on('stateless', heard)
  provider.onMessage(new MessageEvent('message', { data: toUint8Array(encoder) }))
  expect(heard).toHaveBeenCalledWith({ payload: 'hello' })
  close()
})

test('[LAYOUT-17] what a document gets first is not encoded for the provider, what is written later is sent', () => {
  const { provider, write, text, close } = scene()
  const encodes: boolean[] = []
  // Yjs encodes a transaction if a listener for updates exists when it ends.
  provider.document.on('afterTransaction', ({ doc }) => encodes.push(doc._observers.has('update')))
  write('a')
  vi.advanceTimersByTime(100)
  write('b')
  expect(text()).toBe('ab')
  expect(encodes).toEqual([false, true])
  expect(provider.unsyncedChanges).toBe(0)
  provider.document.getText('t').insert(0, 'c')
  expect(provider.unsyncedChanges).toBe(1)
  close()
})

test('what an observer writes in response to the first content is sent', () => {
  const { provider, write, text, close } = scene()
  const shared = provider.document.getText('t')
  shared.observe((_event, { origin }) => {
    if (origin === provider) shared.insert(1, '!')
  })
  write('a')
  expect(text()).toBe('a!')
  expect(provider.unsyncedChanges).toBe(1)
  close()
})
