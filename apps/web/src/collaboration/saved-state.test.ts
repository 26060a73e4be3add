import { describe, expect, test } from 'vitest'
import {
  type ConnectionState,
  initialConnection,
  quotaText,
  refusalOfClose,
  refusalOfReason,
  remainsShown,
  triesAgainAfter,
} from './connection-state.ts'
import { savedState } from './saved-state.ts'

const ready: ConnectionState = { ...initialConnection, opened: true, connected: true, synced: true }

describe('savedState', () => {
  test('is saved only when connected, synced and everything is acknowledged', () => {
    expect(savedState(ready).label).toBe('Saved')
    expect(savedState({ ...ready, unsynced: 1 }).label).toBe('Saving…')
    expect(savedState({ ...ready, synced: false }).label).toBe('Saving…')
    expect(savedState({ ...ready, connected: false }).kind).toBe('offline')
  })

  test('says what happens to changes made offline', () => {
    const offline = { ...ready, connected: false, synced: false, unsynced: 3, unsyncedSince: 1 }
    expect(savedState(offline).detail).toContain('kept in this tab and sent')
    expect(savedState({ ...offline, kept: true }).detail).toContain('kept in this browser and sent')
    expect(savedState({ ...offline, kept: true, unsyncedSince: null }).detail).toContain('You can continue writing')
    expect(savedState({ ...offline, readOnly: true }).detail).not.toContain('kept')
  })

  test('a large change on its way is being saved, with or without a socket', () => {
    expect(savedState({ ...ready, connected: false, uploading: true, unsyncedSince: 1 }).kind).toBe('saving')
  })

  test('does not call a document offline that was never opened', () => {
    expect(savedState(initialConnection).label).toBe('Connecting…')
    expect(savedState({ ...initialConnection, connected: true }).label).toBe('Opening…')
  })

  test('never says saved after a refusal', () => {
    expect(savedState({ ...ready, refusal: 'too_large' }).kind).toBe('refused')
    expect(savedState({ ...ready, refusal: 'foreign' }).label).toBe('Not saved')
    expect(savedState({ ...ready, refusal: 'too_many' }).label).toBe('Not connected')
  })

  test('says of a window that is one too many whether something waits', () => {
    const away = { ...ready, connected: false, synced: false, refusal: 'too_many' } as const
    expect(savedState(away).detail).toBe('Everything is on the server.')
    expect(savedState({ ...away, unsyncedSince: 1 }).detail).toContain('kept in this tab and sent')
    expect(savedState({ ...away, unsyncedSince: 1, kept: true }).detail).toContain('kept in this browser and sent')
  })
})

describe('refusals', () => {
  test('[QUOTA-6] a change that finds no room is kept, and tried again after a while', () => {
    const reason = 'quota_exceeded: Your changes today fill your 200 MiB.'
    expect(refusalOfClose(4413, reason)).toBe('no_room')
    expect(quotaText(reason)).toBe('Your changes today fill your 200 MiB.')
    expect(triesAgainAfter('no_room')).toBe(300_000)
    const refused = { ...ready, unsyncedSince: 1, refusal: 'no_room' } as const
    expect(remainsShown(refused)).toBe(true)
    expect(savedState(refused)).toMatchObject({ label: 'Not saved', detail: expect.stringContaining('no room') })
  })

  test('reads the reasons of the server', () => {
    expect(refusalOfReason('schema_outdated')).toBe('schema_outdated')
    expect(refusalOfReason('unauthenticated')).toBe('unauthenticated')
    expect(refusalOfReason('not_found')).toBe('not_found')
    expect(refusalOfReason('invalid_document_name')).toBe('not_found')
  })

  test('comes back after a reason that it does not know', () => {
    expect(refusalOfReason('permission-denied')).toBeNull()
    expect(refusalOfReason('')).toBeNull()
  })

  test('keeps the document while it holds what the server lacks', () => {
    const unsynced = { ...ready, unsyncedSince: 1 }
    expect(remainsShown({ ...unsynced, refusal: 'schema_outdated' })).toBe(true)
    expect(remainsShown({ ...ready, refusal: 'schema_outdated' })).toBe(false)
    expect(remainsShown({ ...unsynced, refusal: 'unauthenticated' })).toBe(true)
    expect(remainsShown({ ...unsynced, refusal: 'too_large' })).toBe(true)
    expect(remainsShown({ ...unsynced, refusal: 'not_found' })).toBe(false)
    expect(remainsShown({ ...unsynced, refusal: 'revoked' })).toBe(true)
    expect(remainsShown({ ...ready, refusal: 'revoked' })).toBe(false)
  })

  test('comes back after a restart, not after a frame that is too large', () => {
    expect(refusalOfClose(1012)).toBeNull()
    expect(refusalOfClose(4205)).toBeNull()
    expect(refusalOfClose(1006)).toBeNull()
    expect(refusalOfClose(1009)).toBe('too_large')
    expect(refusalOfClose(4413)).toBe('too_large')
    expect(refusalOfClose(4413, 'too many updates that wait')).toBe('too_large')
    expect(refusalOfClose(4403)).toBe('not_found')
    expect(refusalOfClose(4410)).toBe('revoked')
  })
})
