import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as Y from 'yjs'
import { ApiError } from '../api/client.ts'
import { arrivalOfFailure, divertLargeFrames, readSyncFrame, type SyncFrame, retryDelay } from './http-sync.ts'

/** A real provider whose socket never opens; its sent frames are collected. */
function open(limit: number) {
  const socket = new HocuspocusProviderWebsocket({ url: 'ws://localhost', autoConnect: false })
  const sent: Uint8Array[] = []
  socket.send = (message: Uint8Array) => void sent.push(message)
  const large: SyncFrame[] = []
  divertLargeFrames(socket, 'doc', (frame) => large.push(frame), limit)
  const provider = new HocuspocusProvider({
    websocketProvider: socket,
    name: 'doc',
    document: new Y.Doc(),
    awareness: null,
  })
  socket.configuration.autoConnect = false
  socket.shouldConnect = false
  provider.attach()
  onTestFinished(() => {
    provider.destroy()
    socket.destroy()
  })
  return { provider, text: provider.document.getText('text'), sent, large }
}

describe('divertLargeFrames', () => {
  test('sends what fits and keeps back what does not, with its update', () => {
    const { text, provider, sent, large } = open(200)
    text.insert(0, 'short')
    expect(sent).toHaveLength(1)
    expect(large).toEqual([])
    text.insert(0, 'long '.repeat(100))
    expect(sent).toHaveLength(1)
    expect(large.map(({ kind }) => kind)).toEqual(['change'])
    const copy = new Y.Doc()
    for (const frame of [readSyncFrame(sent[0] as Uint8Array), ...large])
      Y.applyUpdate(copy, frame?.update as Uint8Array)
    expect(copy.getText('text').toJSON()).toBe(text.toJSON())
    provider.startSync()
    // A sync query is not an update.
    expect(readSyncFrame(sent.at(-1) as Uint8Array)).toBeUndefined()
  })
})

describe('bringing an update home', () => {
  const failure = (code: ApiError['code']) => arrivalOfFailure(new ApiError(code, ''))

  test('what the server refuses is not tried again', () => {
    expect(failure('too_large')).toBe('too_large')
    expect(failure('quota_exceeded')).toBe('no_room')
    expect(failure('forbidden')).toBe('read_only')
    expect(failure('not_found')).toBe('not_found')
    expect(failure('invalid_input')).toBe('invalid')
    expect(failure('unauthenticated')).toBe('unauthenticated')
  })

  test('what passes is', () => {
    for (const code of ['unreachable', 'unavailable', 'internal', 'rate_limited', 'conflict'] as const) {
      expect(failure(code)).toBe('later')
    }
    expect(arrivalOfFailure(new Error('aborted'))).toBe('later')
  })

  test('waits longer each time, up to half a minute', () => {
    expect([0, 1, 2, 10].map(retryDelay)).toEqual([1000, 2000, 4000, 30_000])
  })
})
