import { closeCodes } from '@copydesk/protocol'
import type { WebSocket } from 'ws'
import type { SocketLimits } from '../limits/socket-limits.ts'
import type { CloseSocket } from './connected-document.ts'
import { writePing } from './frames.ts'

const authenticateWithinMs = 10_000

export type LivenessOptions = {
  limits: Pick<SocketLimits, 'silentMs' | 'idleMs' | 'checkEveryMs'>
  /** Monotonic clock, in milliseconds. */
  elapsed: () => number
  /** Whether a document is open, or its token is being checked. */
  isInUse: () => boolean
  /** Whether the server itself has paused reading the socket. */
  isPaused: () => boolean
  close: CloseSocket
}

/** Pings a client regularly, and closes its socket when the client sends nothing, or has no document open. */
export class SocketLiveness {
  readonly #socket: WebSocket
  readonly #options: LivenessOptions
  readonly #timer: NodeJS.Timeout
  readonly #deadline: NodeJS.Timeout
  #lastSign: number
  #lastInUse: number

  constructor(socket: WebSocket, options: LivenessOptions) {
    this.#socket = socket
    this.#options = options
    this.#lastSign = options.elapsed()
    this.#lastInUse = this.#lastSign
    this.#timer = setInterval(() => this.#check(), options.limits.checkEveryMs)
    this.#deadline = setTimeout(() => this.#checkAuthentication(), authenticateWithinMs)
    socket.on('pong', () => this.noteActivity())
  }

  /** The client has sent or read data. */
  noteActivity(): void {
    this.#lastSign = this.#options.elapsed()
  }

  stop(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#deadline)
  }

  #checkAuthentication(): void {
    // The client isn't responsible for the delay while its token is being checked.
    if (!this.#options.isInUse()) this.#options.close(closeCodes.unauthenticated, 'no document was opened')
  }

  #check(): void {
    const { limits, elapsed, isInUse, isPaused, close } = this.#options
    const now = elapsed()
    if (!isPaused() && now - this.#lastSign > limits.silentMs) return this.#socket.terminate()
    if (isInUse()) this.#lastInUse = now
    if (now - this.#lastInUse > limits.idleMs) return close(closeCodes.unauthenticated, 'no document is open')
    // The ping keeps the connection alive in networks and browsers; the frame resets the provider's own timer.
    this.#socket.ping()
    this.#socket.send(writePing())
  }
}
