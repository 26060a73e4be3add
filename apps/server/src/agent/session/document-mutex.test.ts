import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { DocumentMutex } from './document-mutex.ts'

const never = new AbortController().signal
const settled = (): Promise<void> => Promise.resolve()

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** A replica that starts with the text of `source`. */
function replica(source?: Y.Doc): Y.Doc {
  const doc = new Y.Doc()
  if (source) Y.applyUpdate(doc, Y.encodeStateAsUpdate(source))
  return doc
}

describe('DocumentMutex', () => {
  test('[APP-10] the next turn starts only when what the turn before wrote is in its replica', async () => {
    const turns = new DocumentMutex()
    const first = replica()
    first.getText('t').insert(0, 'teh cat')
    const second = replica(first)
    const tickets = [turns.join('d', first, settled), turns.join('d', second, settled)] as const
    const seen: string[] = []
    const flushed = defer()
    const one = tickets[0].runExclusive(never, async () => {
      first.getText('t').delete(0, 3)
      first.getText('t').insert(0, 'the')
      await flushed.promise
    })
    const two = tickets[1].runExclusive(never, async () => void seen.push(second.getText('t').toJSON()))
    flushed.resolve()
    await one
    expect(seen).toEqual([])
    Y.applyUpdate(second, Y.encodeStateAsUpdate(first))
    await two
    expect(seen).toEqual(['the cat'])
  })

  test('[APP-10] turns are taken in the order in which they were asked for, and other documents do not wait', async () => {
    const turns = new DocumentMutex()
    const doc = replica()
    const order: string[] = []
    const hold = defer()
    const names = ['a', 'b', 'c']
    const taken = names.map((name) =>
      turns.join('d', doc, settled).runExclusive(never, async () => {
        order.push(name)
        if (name === 'a') await hold.promise
      }),
    )
    await turns.join('other', replica(), settled).runExclusive(never, async () => void order.push('other'))
    expect(order).toEqual(['a', 'other'])
    hold.resolve()
    await Promise.all(taken)
    expect(order).toEqual(['a', 'other', 'b', 'c'])
  })

  test('[APP-11] a run stopped while waiting leaves the queue; a turn that fails is passed on', async () => {
    const turns = new DocumentMutex()
    const doc = replica()
    const hold = defer()
    const done: string[] = []
    const controller = new AbortController()
    const failing = turns.join('d', doc, settled).runExclusive(never, async () => {
      await hold.promise
      throw new Error('the connection is gone')
    })
    const stopped = turns.join('d', doc, settled).runExclusive(controller.signal, async () => void done.push('stopped'))
    const last = turns.join('d', doc, settled).runExclusive(never, async () => void done.push('last'))
    controller.abort()
    await expect(stopped).rejects.toThrow('the run was ended while it waited')
    hold.resolve()
    await expect(failing).rejects.toThrow('the connection is gone')
    await last
    expect(done).toEqual(['last'])
  })

  test('[APP-11] a run stopped while earlier writes are in transit lets the next one start', async () => {
    const turns = new DocumentMutex()
    const [first, behind, third] = [replica(), replica(), replica()]
    await turns.join('d', first, settled).runExclusive(never, async () => first.getText('t').insert(0, 'x'))
    Y.applyUpdate(third, Y.encodeStateAsUpdate(first))
    const controller = new AbortController()
    const waiting = turns.join('d', behind, settled).runExclusive(controller.signal, async () => undefined)
    let isDone = false
    const next = turns.join('d', third, settled).runExclusive(never, async () => void (isDone = true))
    controller.abort()
    await expect(waiting).rejects.toThrow('the run was ended while it waited')
    await next
    await until(() => isDone, 'the next turn is over')
  })

  test('[APP-10] what a stopped turn had written and is still on its way is waited for', async () => {
    const turns = new DocumentMutex()
    const [first, second] = [replica(), replica()]
    const arrived = defer()
    const tickets = [turns.join('d', first, () => arrived.promise), turns.join('d', second, settled)] as const
    const stopped = tickets[0].runExclusive(never, async () => {
      first.getText('t').insert(0, 'written')
      throw new DOMException('the run was ended', 'AbortError')
    })
    const seen: string[] = []
    const next = tickets[1].runExclusive(never, async () => void seen.push(second.getText('t').toJSON()))
    await expect(stopped).rejects.toThrow('the run was ended')
    tickets[0].leave()
    expect(seen).toEqual([])
    arrived.resolve()
    // The update has arrived at the server, but not yet in the other replica.
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toEqual([])
    Y.applyUpdate(second, Y.encodeStateAsUpdate(first))
    await next
    expect(seen).toEqual(['written'])
  })

  test('[APP-10] what a stopped turn had written and never arrives keeps nobody waiting', async () => {
    const turns = new DocumentMutex()
    const [first, second] = [replica(), replica()]
    const lost = turns.join('d', first, () => Promise.reject(new Error('the connection is gone')))
    const stopped = lost.runExclusive(never, async () => {
      first.getText('t').insert(0, 'written')
      throw new Error('the connection is gone')
    })
    await expect(stopped).rejects.toThrow('the connection is gone')
    await turns.join('d', second, settled).runExclusive(never, async () => undefined)
  })

  test('[AGENT-7] a claim keeps other runs out until it is released and its writing has arrived', async () => {
    const turns = new DocumentMutex()
    const [first, second] = [replica(), replica()]
    const flushed = defer()
    const writing = turns.join('d', first, () => flushed.promise)
    const other = turns.join('d', second, settled)
    expect(writing.claim()).toBe(true)
    expect(other.claim()).toBe(false)
    await writing.runExclusive(never, async () => first.getText('t').insert(0, 'whole'))
    const seen: string[] = []
    const waiting = other.runExclusive(never, async () => void seen.push(second.getText('t').toJSON()))
    writing.release()
    expect(other.claim()).toBe(false)
    flushed.resolve()
    await flushed.promise
    expect(seen).toEqual([])
    Y.applyUpdate(second, Y.encodeStateAsUpdate(first))
    await waiting
    expect(seen).toEqual(['whole'])
    await until(() => other.claim(), 'the lock is free')
  })

  test('[APP-10] a run that arrives while the previous one is still writing joins the same queue', async () => {
    const turns = new DocumentMutex()
    const doc = replica()
    const hold = defer()
    const order: string[] = []
    const leaving = turns.join('d', doc, settled)
    const first = leaving.runExclusive(never, async () => {
      await hold.promise
      order.push('first')
    })
    leaving.leave()
    const second = turns.join('d', doc, settled).runExclusive(never, async () => void order.push('second'))
    hold.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })
})
