import type { TranscriptMessage } from '@copydesk/agent'

const showEveryMs = 120

/**
 * What the agent says in the chat, while it says it: the texts of all its answers in this run, one after the other.
 * Shows the newest state about eight times a second and never two states at once.
 */
export class StreamedAnswer {
  readonly #show: (said: string) => Promise<void>
  readonly #saved: string[] = []
  #current = ''
  #shown = ''
  #showing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  /** `transcript` is what was saved of this run before; `show` must not reject. */
  constructor(transcript: readonly TranscriptMessage[], show: (said: string) => Promise<void>) {
    this.#show = show
    this.#saved.push(...textsOf(transcript))
  }

  /** Everything said so far. */
  get text(): string {
    return joinTexts([...this.#saved, this.#current.trim()])
  }

  add(text: string): void {
    this.#current += text
    this.#timer ??= setTimeout(() => this.#showSoon(), showEveryMs)
  }

  /** The answer that was being given is void: the model is asked again. */
  discard(): void {
    this.#current = ''
  }

  /** The current answer is complete and stored. */
  keep(text: string): void {
    this.#current = ''
    if (text.trim() !== '') this.#saved.push(text.trim())
  }

  /** Shows nothing more; resolves when what was being shown is done. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#showing
  }

  #showSoon(): void {
    this.#timer = undefined
    if (this.text === this.#shown) return
    if (this.#showing) {
      this.#timer = setTimeout(() => this.#showSoon(), showEveryMs)
      return
    }
    this.#shown = this.text
    this.#showing = this.#show(this.#shown).finally(() => (this.#showing = undefined))
  }
}

/** All that the agent has said in a run, as its chat answer holds it. */
export function saidIn(transcript: readonly TranscriptMessage[]): string {
  return joinTexts(textsOf(transcript))
}

function textsOf(transcript: readonly TranscriptMessage[]): string[] {
  return transcript.flatMap((message) => (message.role === 'assistant' ? [message.text.trim()] : [])).filter(Boolean)
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n\n')
}
