type Scheduler = { schedule: () => void; cancel: () => void }

/** Runs `act` in the next frame, at most once per frame however often `schedule` is called. */
export function oncePerFrame(act: () => void): Scheduler {
  let frame = 0
  const run = () => {
    frame = 0
    act()
  }
  return {
    schedule() {
      frame ||= requestAnimationFrame(run)
    },
    cancel() {
      cancelAnimationFrame(frame)
      frame = 0
    },
  }
}

/** Runs `act` this many milliseconds after `schedule` is called, once for all calls until then. */
export function throttle(milliseconds: number, act: () => void): Scheduler {
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    act()
  }
  return {
    schedule() {
      timer ??= setTimeout(run, milliseconds)
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
