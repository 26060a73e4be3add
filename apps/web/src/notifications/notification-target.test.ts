import { pathOfPlace } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { type Place, readPlace } from './notification-target.ts'

const places: Place[] = [
  { kind: 'text', id: 'a&b=c#d' },
  { kind: 'comment', thread: 't 1', id: 'ü' },
  { kind: 'chat', id: 'm' },
]

test('an address names the place that a notification is about', () => {
  for (const place of places) {
    const path = pathOfPlace('doc', place)
    expect(path.startsWith('/d/doc#')).toBe(true)
    expect(readPlace(path.slice(path.indexOf('#')))).toEqual(place)
  }
})

test('other addresses name no place', () => {
  for (const hash of ['', '#', '#intro', '#mention=', '#%']) expect(readPlace(hash)).toBeUndefined()
})
