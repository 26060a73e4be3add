import { HocuspocusProvider, MessageType } from '@hocuspocus/provider'
import { createDecoder, readVarString, readVarUint } from 'lib0/decoding'
import * as Y from 'yjs'

const stateOfOther = 0
const gatheredForMs = 100

/**
 * A provider that lets in what others do ten times a second at most: each time costs the browser a layout and a picture of the text, which whoever types
 * would wait for. What comes after a pause is let in at once, what comes in a row together, as one transaction. It can also keep everything to itself for
 * a while. What is changed here goes out all the same: both come together when the held changes are let in, as after a time without a connection.
 */
export class BatchingProvider extends HocuspocusProvider {
  /** Called before what the server has sent is taken in. */
  readonly beforeIncoming = new Set<() => void>()
  #waiting: MessageEvent[] = []
  #pause: ReturnType<typeof setTimeout> | undefined
  #isHeld = false

  /** From now on what others do waits. */
  hold(): void {
    this.#isHeld = true
  }

  /** Lets in what has waited, in its order. May be called at any time. */
  release(): void {
    this.#isHeld = false
    this.#letIn()
  }

  override onMessage(event: MessageEvent): void {
    if (!isDeedOfOther(event.data)) return super.onMessage(event)
    this.#waiting.push(event)
    if (!this.#isHeld && this.#pause === undefined) this.#letIn()
  }

  override destroy(): void {
    clearTimeout(this.#pause)
    this.#waiting = []
    super.destroy()
  }

  #letIn(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      if (!this.#isHeld) this.#letIn()
    }, gatheredForMs)
    for (const act of this.beforeIncoming) act()
    const letIn = () => {
      for (const event of waiting) super.onMessage(event)
    }
    Y.transact(this.document, letIn, this, false)
  }
}

/** Whether a frame changes the text or moves carets; questions and acknowledgements are answered at once. */
function isDeedOfOther(data: unknown): boolean {
  if (!(data instanceof ArrayBuffer || data instanceof Uint8Array)) return false
  const decoder = createDecoder(new Uint8Array(data))
  readVarString(decoder)
  const type = readVarUint(decoder)
  if (type === MessageType.Awareness) return true
  return type === MessageType.Sync && readVarUint(decoder) !== stateOfOther
}
