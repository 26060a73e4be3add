import { Suspense } from 'react'
import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'
import { noteFirstScreen } from './first-screen.ts'
import { earlyPart, latePart, loadPart, loadWhenOnline, missingParts } from './lazy-part.ts'

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  return () => vi.unstubAllGlobals()
})

test('[LAYOUT-11] a part whose code is there is shown at once, without a Suspense that would delay it', async () => {
  let loads = 0
  const { load, Part } = earlyPart<{ name: string }>(
    async () => {
      loads += 1
      return ({ name }) => <p>{name}</p>
    },
    () => <i>waiting</i>,
  )
  const shown = () => renderToStaticMarkup(<Part name="text" />)
  expect(shown()).toBe('<i>waiting</i>')
  await Promise.all([load(), load()])
  expect(shown()).toBe('<p>text</p>')
  expect(loads).toBe(1)
})

test('[LAYOUT-17] a part that nobody waits for is loaded once the first screen is painted', async () => {
  const order: string[] = []
  const Part = latePart(async () => {
    order.push('loaded')
    return () => <p>aids</p>
  })
  const shown = renderToReadableStream(
    <Suspense fallback={<i>waiting</i>}>
      <Part />
    </Suspense>,
  )
  const stream = await shown
  await Promise.resolve()
  order.push('first screen')
  noteFirstScreen()
  await stream.allReady
  expect(order).toEqual(['first screen', 'loaded'])
  expect(await new Response(stream).text()).toContain('<p>aids</p>')
})

test('[OFF-4] a part that can’t be loaded takes nothing else from the page, is tried again, and is said to be missing', async () => {
  vi.useFakeTimers()
  let tries = 0
  let isAway = true
  const loaded = loadPart(() => {
    tries += 1
    return isAway ? Promise.reject(new Error('the server is away')) : Promise.resolve('code')
  })
  await vi.advanceTimersByTimeAsync(30_000)
  expect([tries, missingParts.get()]).toEqual([5, 0])
  await vi.advanceTimersByTimeAsync(120_000)
  expect(tries).toBeGreaterThan(6)
  expect(missingParts.get()).toBe(1)
  isAway = false
  await vi.advanceTimersByTimeAsync(16_000)
  vi.useRealTimers()
  expect(await loaded).toBe('code')
  expect(missingParts.get()).toBe(0)
})

test('[OFF-4] a file that a service worker can’t answer without a network is not asked for in a row', async () => {
  vi.stubGlobal('navigator', { onLine: false, serviceWorker: { controller: {} } })
  vi.useFakeTimers()
  const load = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('not kept')))
  void loadPart(load)
  await vi.advanceTimersByTimeAsync(900)
  expect(load).toHaveBeenCalledTimes(1)
  vi.useRealTimers()
})

test('[OFF-4] code is not asked for while the network is away, since browsers keep the failure of a module', async () => {
  const navigator = { onLine: false }
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.useFakeTimers()
  const load = vi.fn<() => Promise<string>>(async () => 'code')
  const loaded = loadWhenOnline(load)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).not.toHaveBeenCalled()
  navigator.onLine = true
  await vi.advanceTimersByTimeAsync(5000)
  vi.useRealTimers()
  expect(await loaded).toBe('code')
  expect(load).toHaveBeenCalledTimes(1)
})

test('[OFF-4] without a network, code comes from a server on the same machine', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('ok')))
  expect(await loadWhenOnline(() => Promise.resolve('code'))).toBe('code')
})
