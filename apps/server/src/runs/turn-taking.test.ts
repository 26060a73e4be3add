import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '../testing/until.ts'
import { TurnTaking } from './turn-taking.ts'

const never = new AbortController().signal

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** A replica whose text starts as the others' do. */
function replica(source?: Y.Doc): Y.Doc {
  const doc = new Y.Doc()
  if (source) Y.applyUpdate(doc, Y.encodeStateAsUpdate(source))
  return doc
}

describe('TurnTaking', () => {
  test('[APP-10] the next turn starts only when what the turn before wrote is in its replica', async () => {
    const turns = new TurnTaking()
    const first = replica()
    first.getText('t').insert(0, 'teh cat')
    const second = replica(first)
    const seats = [turns.join('d', first), turns.join('d', second)] as const
    const seen: string[] = []
    const flushed = defer()
    const one = seats[0].inTurn(never, async () => {
      first.getText('t').delete(0, 3)
      first.getText('t').insert(0, 'the')
      await flushed.promise
    })
    const two = seats[1].inTurn(never, async () => void seen.push(second.getText('t').toJSON()))
    flushed.resolve()
    await one
    expect(seen).toEqual([])
    Y.applyUpdate(second, Y.encodeStateAsUpdate(first))
    await two
    expect(seen).toEqual(['the cat'])
  })

  test('[APP-10] turns are taken in the order in which they were asked for, and other documents do not wait', async () => {
    const turns = new TurnTaking()
    const doc = replica()
    const order: string[] = []
    const hold = defer()
    const names = ['a', 'b', 'c']
    const taken = names.map((name) =>
      turns.join('d', doc).inTurn(never, async () => {
        order.push(name)
        if (name === 'a') await hold.promise
      }),
    )
    await turns.join('other', replica()).inTurn(never, async () => void order.push('other'))
    expect(order).toEqual(['a', 'other'])
    hold.resolve()
    await Promise.all(taken)
    expect(order).toEqual(['a', 'other', 'b', 'c'])
  })

  test('[APP-11] who is stopped while waiting leaves the line; a turn that fails passes on', async () => {
    const turns = new TurnTaking()
    const doc = replica()
    const hold = defer()
    const done: string[] = []
    const controller = new AbortController()
    const failing = turns.join('d', doc).inTurn(never, async () => {
      await hold.promise
      throw new Error('the connection is gone')
    })
    const stopped = turns.join('d', doc).inTurn(controller.signal, async () => void done.push('stopped'))
    const last = turns.join('d', doc).inTurn(never, async () => void done.push('last'))
    controller.abort()
    await expect(stopped).rejects.toThrow('the run was ended while it waited')
    hold.resolve()
    await expect(failing).rejects.toThrow('the connection is gone')
    await last
    expect(done).toEqual(['last'])
  })

  test('[APP-11] who is stopped while what was written before is still on its way lets the next one go', async () => {
    const turns = new TurnTaking()
    const [first, behind, third] = [replica(), replica(), replica()]
    await turns.join('d', first).inTurn(never, async () => first.getText('t').insert(0, 'x'))
    Y.applyUpdate(third, Y.encodeStateAsUpdate(first))
    const controller = new AbortController()
    const waiting = turns.join('d', behind).inTurn(controller.signal, async () => undefined)
    let isDone = false
    const next = turns.join('d', third).inTurn(never, async () => void (isDone = true))
    controller.abort()
    await expect(waiting).rejects.toThrow('the run was ended while it waited')
    await next
    await until(() => isDone, 'the next turn is over')
  })
})
