/** A planned reconnect: runs the given milliseconds after each call of `plan`, until it is stopped. */
export type ReturnLater = { plan(afterMs: number): void; stop(): void }

/**
 * Plans to reconnect after a refusal for a limit or quota of this account, or for updates that another client will
 * bring: the user doesn't have to retry.
 */
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
