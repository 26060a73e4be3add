import { expect, test } from 'vitest'
import { createCallerQueue } from './caller-queue.ts'

function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

test('[THREAD-6] what one person asks is done one after the other, also after a failure; others don’t wait for it', async () => {
  const runQueued = createCallerQueue(3)
  const [first, done] = [gate(), [] as string[]]
  const ask = (person: string, name: string) => runQueued(person, async () => void done.push(name))
  const slow = runQueued('ana', async () => {
    await first.opened
    throw new Error('no')
  })
  const second = ask('ana', 'second of Ana')
  await ask('ben', 'Ben')
  expect(done).toEqual(['Ben'])
  first.open()
  await expect(slow).rejects.toThrow('no')
  await second
  expect(done).toEqual(['Ben', 'second of Ana'])
})

test('[THREAD-7] too many that wait are refused, until one of them is answered', async () => {
  const runQueued = createCallerQueue(2)
  const first = gate()
  const waiting = [runQueued('ana', () => first.opened), runQueued('ana', () => Promise.resolve())]
  await expect(runQueued('ana', () => Promise.resolve())).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await runQueued('ben', () => Promise.resolve('in'))).toBe('in')
  first.open()
  await Promise.all(waiting)
  expect(await runQueued('ana', () => Promise.resolve('in'))).toBe('in')
})
