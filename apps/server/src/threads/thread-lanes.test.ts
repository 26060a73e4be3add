import { afterEach, expect, test } from 'vitest'
import { ThreadLanes } from './thread-lanes.ts'

const lanes = new ThreadLanes<string, string>(new URL('../testing/echo-thread.ts', import.meta.url))
afterEach(() => lanes.close())

test('[THREAD-8] long work never has both threads: what is short is answered meanwhile', async () => {
  const long = Promise.allSettled([lanes.ask('spin', true), lanes.ask('spin', true)])
  expect(await Promise.all([lanes.ask('one', false), lanes.ask('two', false)])).toEqual(['echo one', 'echo two'])
  await lanes.close()
  expect((await long).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('[THREAD-8] a thread that nothing long has is for what is short, too', async () => {
  const slow = lanes.ask('spin', false).catch(() => 'ended')
  expect(await lanes.ask('behind', false)).toBe('echo behind')
  await lanes.close()
  expect(await slow).toBe('ended')
})
