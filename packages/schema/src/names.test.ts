import { expect, test } from 'vitest'
import { contentName, parseDocumentName, roomName } from './index.ts'

test('names of the two parts of a document are read back', () => {
  expect(parseDocumentName(contentName('Ab-9_'))).toEqual({ document: 'Ab-9_', part: 'content' })
  expect(parseDocumentName(roomName('Ab-9_'))).toEqual({ document: 'Ab-9_', part: 'room' })
  expect(parseDocumentName('room')).toEqual({ document: 'room', part: 'content' })
  expect(parseDocumentName('a'.repeat(64))).toEqual({ document: 'a'.repeat(64), part: 'content' })
})

test.each(['', '/room', 'a/room/room', 'a/b', 'a/room/', 'a/Room', 'a\n', 'a b', '../a', 'ä', 'a\0', 'a'.repeat(65)])(
  '%j is no document name',
  (name) => {
    expect(parseDocumentName(name)).toBeUndefined()
  },
)
