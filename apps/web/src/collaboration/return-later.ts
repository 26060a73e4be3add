/** A way back that is tried so many milliseconds after each time it is planned, until it is stopped. */
export type ReturnLater = { plan(afterMs: number): void; stop(): void }

/** Plans to come back to a server that had too much of this account, or lacks what somebody else will bring: nobody has to notice when it has. */
export function createReturn(comeBack: () => void): ReturnLater {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    plan(afterMs) {
      stop()
      timer = setTimeout(comeBack, afterMs)
    },
    stop,
  }
}
