/** Runs `act` in the next frame, at most once per frame however often `soon` is called. */
export function oncePerFrame(act: () => void): { soon: () => void; cancel: () => void } {
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
