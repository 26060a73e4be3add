import { firstClient, textAt, typed } from '../blocks.ts'
import { always, type HostileInput, request, sendUpdates, type Step } from '../hostile-input.ts'
import { limits } from '../limits.ts'

const limit = `${limits.eventStreams} streams of events of a person`

function streams(count: number): Step[] {
  return Array.from({ length: count }, () => {
    const step = request('GET', '/api/documents/:id/events')
    return step.kind === 'request' ? { ...step, isStream: true } : step
  })
}

const search = (name: string, query: string): HostileInput => ({
  name,
  limit: 'a query of 200 characters',
  scale: { ci: 10, full: 200 },
  build: (size) =>
    Array.from({ length: size }, () => request('GET', `/api/documents?query=${encodeURIComponent(query)}`)),
  expect: [200, 400],
})

/** Streams of events, and other requests that go on or look through everything. */
export const events: readonly HostileInput[] = [
  {
    name: 'as many streams as a person may follow',
    limit,
    scale: always(limits.eventStreams),
    build: (size) => streams(size),
    expect: 200,
  },
  {
    name: 'one stream too many',
    limit,
    scale: always(limits.eventStreams + 1),
    build: (size) => streams(size),
    expect: 429,
  },
  {
    name: 'streams that nobody reads, while much is written',
    limit: 'a mebibyte that waits for a reader',
    scale: { ci: 500, full: 10_000 },
    build: (size, at) => [
      ...streams(limits.eventStreams),
      sendUpdates(
        at,
        typed(at.state, firstClient, (doc) => {
          for (let index = 0; index < size; index++) textAt(doc, 0).insert(0, 'x')
        }),
      ),
    ],
    expect: 'acknowledged',
  },
  search('searches for a letter', 'a'),
  search('searches for what patterns are made of', '%_%_%_%_%\\'.repeat(20)),
]
