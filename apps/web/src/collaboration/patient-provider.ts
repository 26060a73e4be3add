import { HocuspocusProvider, MessageType } from '@hocuspocus/provider'
import { createDecoder, readVarString, readVarUint } from 'lib0/decoding'

const stateOfOther = 0

/**
 * A provider that can keep what others change to itself for a while. What is changed here goes out all the same: both come together when the
 * held changes are let in, as after a time without a connection.
 */
export class PatientProvider extends HocuspocusProvider {
  #held: MessageEvent[] | null = null

  /** From now on changes by others wait. */
  hold(): void {
    this.#held ??= []
  }

  /** Lets in what has waited, in its order. May be called at any time. */
  release(): void {
    const held = this.#held ?? []
    this.#held = null
    for (const event of held) super.onMessage(event)
  }

  override onMessage(event: MessageEvent): void {
    if (this.#held && bringsChanges(event.data)) this.#held.push(event)
    else super.onMessage(event)
  }

  override destroy(): void {
    this.#held = null
    super.destroy()
  }
}

function bringsChanges(data: unknown): boolean {
  if (!(data instanceof ArrayBuffer || data instanceof Uint8Array)) return false
  const decoder = createDecoder(new Uint8Array(data))
  readVarString(decoder)
  return readVarUint(decoder) === MessageType.Sync && readVarUint(decoder) !== stateOfOther
}
