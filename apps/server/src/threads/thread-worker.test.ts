import { afterEach, expect, test } from 'vitest'
import { ThreadTimeoutError, ThreadWorker } from './thread-worker.ts'

const worker = new ThreadWorker<string, string>(new URL('../testing/echo-thread.ts', import.meta.url))
afterEach(() => worker.close())

test('[THREAD-1] requests are answered with their own results and errors', async () => {
  const [one, two, wrong] = await Promise.allSettled([worker.ask('one'), worker.ask('two'), worker.ask('throw')])
  expect([one, two]).toMatchObject([{ value: 'echo one' }, { value: 'echo two' }])
  expect(wrong).toMatchObject({ status: 'rejected', reason: { message: 'asked to throw' } })
})

test('[THREAD-2] a request that takes too long ends the thread, and the next one is answered by a new one', async () => {
  await expect(worker.ask('spin', 100)).rejects.toThrow(ThreadTimeoutError)
  expect(await worker.ask('after')).toBe('echo after')
})

test('[THREAD-3] what else waits when a thread ends fails, instead of waiting for ever', async () => {
  const [slow, behind] = await Promise.allSettled([worker.ask('spin', 100), worker.ask('behind')])
  expect([slow.status, behind.status]).toEqual(['rejected', 'rejected'])
})
