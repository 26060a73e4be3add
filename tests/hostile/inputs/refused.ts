import * as Y from 'yjs'
import { addBlock, firstClient, paragraphOf, updateOf } from '../blocks.ts'
import { type HostileInput, sendUpdates, type Step, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { format, text } from '../update-writer.ts'
import { largeDocument } from './sync-requests.ts'

const limit = `${limits.refusalsInARow} refusals of an account in a row`

const unknownMark = (client: number): Uint8Array => paragraphOf([format('blink', {}), text('x')], client)

/** A refused frame on each of so many connections. */
function refusedOnEach(at: Target, count: number, make: (index: number) => Uint8Array): Step[] {
  return Array.from({ length: count }, (_, index) => ({
    ...sendUpdates(at, [make(index)], `Mallory/${index}`),
    isRefused: true,
  }))
}

/** Frames that are refused, again and again: none may cost a copy of the document. */
export const refused: readonly HostileInput[] = [
  {
    name: 'frames of a large document that the schema refuses, each on a connection of its own',
    limit,
    scale: { ci: 12, full: limits.refusalsInARow },
    prepare: largeDocument,
    build: (size, at) => refusedOnEach(at, size, (index) => unknownMark(firstClient + 1 + index)),
    expect: refusals.schema,
  },
  {
    name: 'frames of a large document under an id of another client, each on a connection of its own',
    limit,
    scale: { ci: 12, full: limits.refusalsInARow },
    prepare: largeDocument,
    build: (size, at) => refusedOnEach(at, size, () => nextUpdateOfOwner(at)),
    expect: { code: 4423, reason: 'client_id_taken' },
  },
  {
    name: 'frames of a large document, sent at once, the first of which is refused',
    limit,
    scale: { ci: 1000, full: 15_000 },
    prepare: largeDocument,
    build: (size, at) => [
      sendUpdates(at, [
        unknownMark(firstClient + 1),
        ...Array.from({ length: size }, () => paragraphOf([text('x')], firstClient + 2)),
      ]),
    ],
    expect: refusals.schema,
  },
]

/** What the document's owner would write next. */
function nextUpdateOfOwner({ doc }: Target): Uint8Array {
  const clock = Y.getState(doc.store, firstClient)
  return updateOf((to) => addBlock(to, [text('x')]), firstClient, clock)
}
