import { Agent, get } from 'node:http'
import { until } from '@copydesk/testing'
import { join, type TestPeer, textIn } from '../support/client.ts'
import { type Span, Stopwatch } from './stalls.ts'
import { serveCalls } from './thread-calls.ts'

type Started = { url: string; token: string; id: string; pid: number }

/** The longest that anything took which began in a span, or was still under way at its end. */
export type ProbeTimes = { healthMs: number; acknowledgedMs: number }

const keyEveryMs = 100
const probeEveryMs = 50
// Longer than any limit, so that an end of waiting is an answer, too.
const enoughMs = 20_000

/** A client that types into another document at ten keys a second, and polls the server's health. */
class ProbeClient {
  readonly #peer: TestPeer
  readonly #url: string
  readonly #watch: Stopwatch
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #timers: NodeJS.Timeout[] = []
  /** Keys that aren't acknowledged, the oldest first. */
  readonly #keys: Span[] = []
  #probe: Span | undefined
  #seen = { health: 0, keys: 0, healthMs: 0, acknowledgedMs: 0 }
  #from = Infinity
  #typed = 0
  #acknowledged = 0

  constructor(peer: TestPeer, { url, pid }: Started) {
    this.#peer = peer
    this.#url = url
    this.#watch = new Stopwatch(pid)
    peer.content.on('unsyncedChanges', ({ number }: { number: number }) => this.#noteKeys(number))
    this.#timers.push(
      setInterval(() => this.#type(), keyEveryMs),
      setInterval(() => this.#ask(), probeEveryMs),
    )
  }

  begin(): void {
    this.#watch.forget()
    this.#seen = { health: 0, keys: 0, healthMs: 0, acknowledgedMs: 0 }
    this.#from = this.#watch.begin().from
  }

  /** Waits for one key and one probe that began in the span, unless what it waits for takes longer than any limit. */
  async end(): Promise<ProbeTimes> {
    const isSeen = (): boolean => this.#seen.keys > 0 && this.#seen.health > 0
    await until(isSeen, 'a key is acknowledged and a probe answered', enoughMs).catch(() => undefined)
    const open = (span: Span | undefined): number => (span && span.from >= this.#from ? this.#watch.elapsed(span) : 0)
    const { healthMs, acknowledgedMs } = this.#seen
    const probed = {
      healthMs: Math.max(healthMs, open(this.#probe)),
      acknowledgedMs: Math.max(acknowledgedMs, open(this.#keys[0])),
    }
    this.#from = Infinity
    return probed
  }

  /** Ends; answers the text of which everything was acknowledged. */
  stop(): string {
    for (const timer of this.#timers) clearInterval(timer)
    this.#watch.close()
    this.#agent.destroy()
    const text = textIn(this.#peer.fragment, 0).toJSON() as string
    const acknowledged = text.slice(0, text.length - this.#typed + this.#acknowledged)
    this.#peer.close()
    return acknowledged
  }

  #type(): void {
    this.#keys.push(this.#watch.begin())
    this.#typed += 1
    const text = textIn(this.#peer.fragment, 0)
    text.insert(text.length, String.fromCharCode(97 + (this.#typed % 26)))
  }

  #noteKeys(unsynced: number): void {
    while (this.#keys.length > unsynced) {
      const key = this.#keys.shift()
      this.#acknowledged += 1
      if (!key || key.from < this.#from) continue
      this.#seen.keys += 1
      this.#seen.acknowledgedMs = Math.max(this.#seen.acknowledgedMs, this.#watch.elapsed(key))
    }
  }

  #ask(): void {
    if (this.#probe) return
    const probe = this.#watch.begin()
    this.#probe = probe
    const done = (): void => {
      if (this.#probe !== probe) return
      this.#probe = undefined
      if (probe.from < this.#from) return
      this.#seen.health += 1
      this.#seen.healthMs = Math.max(this.#seen.healthMs, this.#watch.elapsed(probe))
    }
    const asked = get(`${this.#url}/healthz`, { agent: this.#agent }, (response) => {
      response.resume()
      response.on('end', done)
    })
    // A dead server doesn't answer; other code detects its death.
    asked.on('error', () => (this.#probe = undefined))
  }
}

let probe: ProbeClient | undefined

const calls = {
  async start(started: Started): Promise<void> {
    probe = new ProbeClient(await join(started.url, started.token, started.id), started)
  },
  begin: (): void => probe?.begin(),
  end: async (): Promise<ProbeTimes> => (await probe?.end()) ?? { healthMs: 0, acknowledgedMs: 0 },
  stop(): string {
    const text = probe?.stop() ?? ''
    probe = undefined
    return text
  },
}

export type ProbeCalls = typeof calls

serveCalls(calls)
