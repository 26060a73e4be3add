import { frame, frameTypes } from '@copydesk/testing'
import { paragraphs } from '../blocks.ts'
import { type HostileInput, sendFrames, sendFullSyncs, sendUpdates, sendVectors } from '../hostile-input.ts'
import { refusals } from '../limits.ts'
import * as Y from 'yjs'

/** A document of two megabytes. */
export const largeDocument = (): Uint8Array => paragraphs(4000, () => 'A large document. '.repeat(28))

const nothing = Uint8Array.of(0)
const limit = 'two megabytes for each request'
const repeated = 'two megabytes that are known already'

/** Requests that bring nothing new and take long to answer. */
export const syncRequests: readonly HostileInput[] = [
  {
    name: 'requests for all of a large document, which are read',
    limit,
    scale: { ci: 60, full: 2000 },
    prepare: largeDocument,
    build: (size, at) => [sendVectors(at, Array<Uint8Array>(size).fill(nothing))],
    // Who reads too slowly may be told to come back.
    expect: ['acknowledged', { code: 4205, reason: '' }],
  },
  {
    name: 'requests for what is missing from most of a large document',
    limit,
    scale: { ci: 60, full: 2000 },
    prepare: largeDocument,
    build: (size, at) => [sendVectors(at, Array<Uint8Array>(size).fill(Y.encodeStateVector(at.doc)))],
    expect: 'acknowledged',
  },
  {
    name: 'full syncs that repeat a large document',
    limit: repeated,
    scale: { ci: 6, full: 60 },
    prepare: largeDocument,
    build: (size, at) => [sendFullSyncs(at, Array<Uint8Array>(size).fill(at.state))],
    expect: 'acknowledged',
  },
  {
    name: 'updates that repeat a large document',
    limit: repeated,
    scale: { ci: 6, full: 60 },
    prepare: largeDocument,
    build: (size, at) => [sendUpdates(at, Array<Uint8Array>(size).fill(at.state))],
    expect: 'acknowledged',
  },
  {
    name: 'updates of nothing',
    limit: '20,000 frames at once',
    scale: { ci: 5000, full: 20_000 },
    build: (size, at) => [sendUpdates(at, Array<Uint8Array>(size).fill(Uint8Array.of(0, 0)))],
    expect: 'acknowledged',
  },
  {
    name: 'questions for everybody’s presence',
    limit: '20,000 frames at once',
    scale: { ci: 5000, full: 20_000 },
    build: (size, at) => [sendFrames(Array<Uint8Array>(size).fill(frame(at.id, frameTypes.queryAwareness)))],
    expect: ['acknowledged', { code: 4205, reason: '' }],
  },
  {
    name: 'frames of no kind',
    limit: 'a frame that can be read',
    scale: { ci: 5000, full: 20_000 },
    build: (size, at) => [sendFrames(Array<Uint8Array>(size).fill(frame(at.id, 99)))],
    expect: refusals.invalid,
  },
]
