import { setImmediate as nextLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FrameScheduler } from './frame-scheduler.ts'

test('[SOCKET-10] what costs much leaves others their turns, one by one, and keeps its order', async () => {
  const scheduler = new FrameScheduler()
  const taken: string[] = []
  const send = (group: string, name: string, work: number): boolean => {
    const act = (): void => {
      taken.push(name)
      scheduler.note(work)
    }
    const mayRunNow = scheduler.mayRunNow(group)
    if (mayRunNow) act()
    else scheduler.enqueue(group, act)
    return mayRunNow
  }
  expect(send('ana', 'a1', 1)).toBe(true)
  expect(send('rogue', 'r1', 300_000)).toBe(true)
  for (const name of ['r2', 'r3', 'r4']) expect(send('rogue', name, 300_000)).toBe(false)
  expect(send('ana', 'a2', 1)).toBe(false)
  expect(send('ana', 'a3', 1)).toBe(false)
  expect(taken).toEqual(['a1', 'r1'])
  await nextLoop()
  expect(taken).toEqual(['a1', 'r1', 'r2'])
  await nextLoop()
  expect(taken).toEqual(['a1', 'r1', 'r2', 'a2', 'a3', 'r3'])
  await nextLoop()
  expect(taken).toEqual(['a1', 'r1', 'r2', 'a2', 'a3', 'r3', 'r4'])
  await nextLoop()
  expect(send('rogue', 'r5', 1)).toBe(true)
})

test('[SOCKET-10] a thousand frames that cost nothing are taken at once', () => {
  const scheduler = new FrameScheduler()
  for (let frame = 0; frame < 1000; frame++) {
    expect(scheduler.mayRunNow('ana')).toBe(true)
    scheduler.note(40)
  }
})
