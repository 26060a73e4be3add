import type * as Y from 'yjs'
import { syncFrame } from '@copydesk/testing'
import type { Refusal } from './limits.ts'

/** The document that an input is made for, as its sender sees it before. */
export type Target = { id: string; state: Uint8Array; doc: Y.Doc }

/**
 * Frames that one connection sends without waiting in between, or one HTTP request. `by` is an account, `by/2` another
 * connection of it. After a step that `isRefused` the others follow all the same.
 */
export type Step =
  | { kind: 'frames'; by: string; frames: Uint8Array[]; updates: number; answers: number; isRefused?: boolean }
  | { kind: 'request'; by: string; method: string; path: string; type?: string; body?: Uint8Array; isStream?: boolean }

/**
 * What a sender was told: everything was acknowledged or answered; the socket was closed; a status of HTTP; or nothing
 * in time.
 */
export type Outcome =
  | { kind: 'acknowledged' }
  | { kind: 'closed'; code: number; reason: string }
  | { kind: 'status'; status: number }
  | { kind: 'nothing' }

/** What an input must come to: acknowledged, a refusal of the protocol, or a status of HTTP. */
export type Expected = 'acknowledged' | Refusal | number

/** How large an input is: for each change, and when the whole table is played. 0: not played. */
export type Scale = { ci: number; full: number }

/** One row of the table. */
export type HostileInput = {
  name: string
  /** The limit that the input goes just under or just above. */
  limit: string
  scale: Scale
  /** What the document's owner writes into it before, as one update. */
  prepare?: (size: number) => Uint8Array
  /**
   * The steps, made before anything is measured. They are taken one after the other, up to the first that is refused.
   */
  build: (size: number, at: Target) => Step[]
  /** The expected outcome, or any of several. */
  expect: Expected | readonly Expected[]
  /** Milliseconds in which the sender must be told, where that is part of the limit. */
  withinMs?: number
}

/** The same size in everyday testing. */
export function always(size: number): Scale {
  return { ci: size, full: size }
}

const mallory = 'Mallory'

/** Played at night only: an input that takes ten seconds of each change's tests, whose limit others reach, too. */
export function atNight(size: number): Scale {
  return { ci: 0, full: size }
}

/** Update frames, sent at once; each is to be acknowledged. */
export function sendUpdates(at: Target, updates: readonly Uint8Array[], by = mallory): Step {
  const frames = updates.map((update) => syncFrame(at.id, 2, update))
  return { kind: 'frames', by, frames, updates: updates.length, answers: 0 }
}

/** Full syncs, sent at once; each is to be acknowledged. */
export function sendFullSyncs(at: Target, updates: readonly Uint8Array[], by = mallory): Step {
  const frames = updates.map((update) => syncFrame(at.id, 1, update))
  return { kind: 'frames', by, frames, updates: updates.length, answers: 0 }
}

/**
 * Requests for what is missing from these state vectors, sent at once; who asks again before they are answered is
 * answered once.
 */
export function sendVectors(at: Target, vectors: readonly Uint8Array[], by = mallory): Step {
  const frames = vectors.map((vector) => syncFrame(at.id, 0, vector))
  return { kind: 'frames', by, frames, updates: 0, answers: 1 }
}

/** Frames that are not acknowledged. */
export function sendFrames(frames: Uint8Array[], by = mallory): Step {
  return { kind: 'frames', by, frames, updates: 0, answers: 0 }
}

/** An update that comes by HTTP. */
export function postUpdate(at: Target, body: Uint8Array, by = mallory): Step {
  const path = `/api/documents/${at.id}/updates`
  return { kind: 'request', by, method: 'POST', path, type: 'application/octet-stream', body }
}

/** A request about the document, its body as JSON. */
export function request(method: string, path: string, body?: unknown, by = mallory): Step {
  const json = body === undefined ? {} : { type: 'application/json', body: Buffer.from(JSON.stringify(body)) }
  return { kind: 'request', by, method, path, ...json }
}
