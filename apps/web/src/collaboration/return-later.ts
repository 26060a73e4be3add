const afterMs = 30_000

/** A way back that is tried half a minute after each time it is planned, until it is stopped. */
export type ReturnLater = { plan(): void; stop(): void }

/** Plans to come back to a server that had too much of this account, or lacks what somebody else will bring: nobody has to notice when it has. */
export function createReturn(comeBack: () => void): ReturnLater {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  return {
    plan() {
      stop()
      timer = setTimeout(comeBack, afterMs)
    },
    stop,
  }
}
