import * as decoding from 'lib0/decoding'
import { frameTypes, openRawDocument, type RawClient, readServerFrame, syncFrame, until } from '@copydesk/testing'
import { attackerQuery } from '../bad-input/scene.ts'
import { signIn } from '../support/client.ts'
import type { Outcome, Step } from './hostile-input.ts'

type Connection = { client: RawClient; acknowledged: number; answered: number }

/** Sends the steps of an input from its own accounts, and returns the outcome. */
export class Attacker {
  readonly #url: string
  readonly #id: string
  readonly #name: string
  readonly #tokens = new Map<string, string>()
  readonly #connections = new Map<string, Connection>()
  readonly #aborted = new AbortController()
  readonly #streams: Response[] = []

  /** `name` makes its accounts different from those of other attackers. */
  constructor(url: string, id: string, name: string) {
    this.#url = url
    this.#id = id
    this.#name = name
  }

  /** The document as it is now. */
  async state(): Promise<Uint8Array> {
    const connection = await this.#connect('Mallory')
    let state: Uint8Array | undefined
    const read = (data: Buffer): void => {
      const frame = readServerFrame(data)
      if (frame?.type === frameTypes.sync && frame.subtype === 1) {
        state = decoding.readVarUint8Array(decoding.createDecoder(frame.rest)).slice()
      }
    }
    connection.client.socket.on('message', read)
    connection.client.send(syncFrame(this.#id, 0, Uint8Array.of(0)))
    await until(() => state !== undefined, 'the document has come')
    connection.client.socket.off('message', read)
    return state ?? new Uint8Array()
  }

  /** Opens whatever connections the steps need, so that only what they send is measured. */
  async prepare(steps: readonly Step[]): Promise<void> {
    for (const { kind, by } of steps) {
      if (kind === 'frames') await this.#connect(by)
      else await this.#tokenOf(by)
    }
  }

  /**
   * Takes the steps; answers the first outcome that isn't an acknowledgement, or the last. Waits so many milliseconds
   * for each.
   */
  async run(steps: readonly Step[], patienceMs: number): Promise<Outcome> {
    let outcome: Outcome = { kind: 'nothing' }
    for (const step of steps) {
      outcome = step.kind === 'frames' ? await this.#send(step, patienceMs) : await this.#request(step, patienceMs)
      const isTaken = outcome.kind === 'acknowledged' || (outcome.kind === 'status' && outcome.status < 300)
      const goesOn = step.kind === 'frames' && step.isRefused === true && outcome.kind === 'closed'
      if (!isTaken && !goesOn) break
    }
    return outcome
  }

  close(): void {
    this.#aborted.abort()
    for (const { client } of this.#connections.values()) client.end()
  }

  async #send(step: Extract<Step, { kind: 'frames' }>, patienceMs: number): Promise<Outcome> {
    const connection = await this.#connect(step.by)
    const { client } = connection
    const wanted = {
      acknowledged: connection.acknowledged + step.updates,
      answered: connection.answered + step.answers,
    }
    const isUnreported = step.updates + step.answers === 0
    for (const frame of step.frames) client.send(frame)
    // A server that has answered this has dealt with what came before.
    if (isUnreported) client.send(syncFrame(this.#id, 0, Uint8Array.of(0)))
    if (isUnreported) wanted.answered += 1
    const isDone = (): boolean =>
      connection.acknowledged >= wanted.acknowledged && connection.answered >= wanted.answered
    const isOver = (): boolean => client.closed() !== undefined || client.isShut(this.#id)
    await until(() => isDone() || isOver(), 'the sender gets an answer', patienceMs).catch(() => undefined)
    if (isDone()) return { kind: 'acknowledged' }
    const closed = client.closed()
    if (closed) return { kind: 'closed', ...closed }
    return { kind: 'nothing' }
  }

  async #request(step: Extract<Step, { kind: 'request' }>, patienceMs: number): Promise<Outcome> {
    const signal = AbortSignal.any([this.#aborted.signal, AbortSignal.timeout(patienceMs)])
    try {
      const response = await fetch(this.#url + step.path.replace(':id', this.#id), {
        method: step.method,
        headers: {
          authorization: `Bearer ${await this.#tokenOf(step.by)}`,
          ...(step.type === undefined ? {} : { 'content-type': step.type }),
        },
        ...(step.body === undefined ? {} : { body: Uint8Array.from(step.body) }),
        signal: step.isStream === true ? this.#aborted.signal : signal,
      })
      // A response without a reference is garbage-collected, which ends its stream.
      if (step.isStream === true) this.#streams.push(response)
      else await response.arrayBuffer()
      return { kind: 'status', status: response.status }
    } catch {
      return { kind: 'nothing' }
    }
  }

  async #connect(by: string): Promise<Connection> {
    const known = this.#connections.get(by)
    if (known) return known
    const client = await openRawDocument(this.#url, this.#id, await this.#tokenOf(by), { query: attackerQuery })
    const connection = { client, acknowledged: 0, answered: 0 }
    client.socket.on('message', (data: Buffer) => {
      const frame = readServerFrame(data)
      if (frame?.type === frameTypes.status) connection.acknowledged += 1
      if (frame?.type === frameTypes.sync && frame.subtype === 1) connection.answered += 1
      // Gigabytes of answers are only counted. What shuts the document stays, for `isShut`.
      const isShut = frame?.type === frameTypes.close || frame?.type === frameTypes.auth
      if (!isShut) client.frames.length = 0
    })
    this.#connections.set(by, connection)
    return connection
  }

  async #tokenOf(by: string): Promise<string> {
    const account = by.replace(/\/.*/, '')
    const known = this.#tokens.get(account)
    if (known !== undefined) return known
    const { token } = await signIn(this.#url, `${account} ${this.#name}`.slice(0, 80))
    this.#tokens.set(account, token)
    return token
  }
}
