import { afterEach, expect, onTestFinished, test } from 'vitest'
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

test('[THREAD-3] what waits when a thread ends is answered by the next one; its own time begins with its turn', async () => {
  const asked = [worker.ask('spin', 300), worker.ask('exit'), worker.ask('behind', 2000), worker.ask('last')]
  const [slow, broken, ...others] = await Promise.allSettled(asked)
  expect(slow).toMatchObject({ status: 'rejected', reason: { message: 'it took too long' } })
  expect(broken).toMatchObject({ status: 'rejected', reason: { message: 'the thread ended' } })
  expect(others).toMatchObject([{ value: 'echo behind' }, { value: 'echo last' }])
})

test('[THREAD-4] closing fails what isn’t answered, instead of letting it wait for ever', async () => {
  const asked = Promise.allSettled([worker.ask('spin'), worker.ask('behind')])
  await worker.close()
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await worker.ask('after')).toBe('echo after')
})

test('[THREAD-5] a request that can’t be sent to a thread fails alone', async () => {
  const other = new ThreadWorker<unknown, string>(new URL('../testing/echo-thread.ts', import.meta.url))
  onTestFinished(() => other.close())
  await expect(other.ask(() => undefined)).rejects.toThrow('could not be cloned')
  expect(await other.ask('after')).toBe('echo after')
})

test('[THREAD-10] a request that is aborted fails at once, whether it waits or is worked on, and the next one is answered', async () => {
  const [going, waiting] = [new AbortController(), new AbortController()]
  const asked = [worker.ask('spin', undefined, going.signal), worker.ask('behind', undefined, waiting.signal)]
  const ended = Promise.allSettled(asked)
  waiting.abort()
  going.abort()
  expect(await ended).toMatchObject([{ reason: { name: 'AbortError' } }, { reason: { name: 'AbortError' } }])
  await expect(worker.ask('never', undefined, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await worker.ask('after')).toBe('echo after')
})
