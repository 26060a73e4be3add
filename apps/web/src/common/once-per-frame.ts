type Soon = { soon: () => void; cancel: () => void }

/** Runs `act` in the next frame, at most once per frame however often `soon` is called. */
export function oncePerFrame(act: () => void): Soon {
  let frame = 0
  const run = () => {
    frame = 0
    act()
  }
  return {
    soon() {
      frame ||= requestAnimationFrame(run)
    },
    cancel() {
      cancelAnimationFrame(frame)
      frame = 0
    },
  }
}

/** Runs `act` this many milliseconds after `soon` is called, once for all calls until then. */
export function oncePer(milliseconds: number, act: () => void): Soon {
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    act()
  }
  return {
    soon() {
      timer ??= setTimeout(run, milliseconds)
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
