import type { TranscriptMessage } from '@copydesk/agent'

const showEveryMs = 120

/**
 * The agent's chat answer while it is streamed: the texts of all model answers in this run, in order. Shows the newest
 * state about eight times a second; calls of `show` don't overlap.
 */
export class StreamedAnswer {
  readonly #show: (said: string) => Promise<void>
  readonly #saved: string[] = []
  #current = ''
  #shown = ''
  #showing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  /** `transcript` is the stored transcript of this run; `show` must not reject. */
  constructor(transcript: readonly TranscriptMessage[], show: (said: string) => Promise<void>) {
    this.#show = show
    this.#saved.push(...textsOf(transcript))
  }

  /** The whole text so far. */
  get text(): string {
    return joinTexts([...this.#saved, this.#current.trim()])
  }

  add(text: string): void {
    this.#current += text
    this.#timer ??= setTimeout(() => this.#showSoon(), showEveryMs)
  }

  /** Discards the current answer: the model is called again. */
  discard(): void {
    this.#current = ''
  }

  /** Keeps the current answer, which is complete and stored. */
  keep(text: string): void {
    this.#current = ''
    if (text.trim() !== '') this.#saved.push(text.trim())
  }

  /** Ends all further calls of `show`; resolves when the pending one is done. */
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

/** The text of all answers in a run's transcript, as in its chat answer. */
export function answerTextOf(transcript: readonly TranscriptMessage[]): string {
  return joinTexts(textsOf(transcript))
}

function textsOf(transcript: readonly TranscriptMessage[]): string[] {
  return transcript.flatMap((message) => (message.role === 'assistant' ? [message.text.trim()] : [])).filter(Boolean)
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n\n')
}
