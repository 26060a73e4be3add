type Waiting = { draw: () => Promise<void> }

// A bit more than a screen, so that what one scrolls to is there already.
const near = '600px'

const waiting = new WeakMap<Element, Waiting>()
let observer: IntersectionObserver | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Calls `draw` when an element comes near what is on the screen, one after the other and never two in one task, so that
 * a document full of formulas can be written in while they come. A later call for the same element takes the place of
 * an earlier one. Answers what calls it off.
 */
export function drawWhenNear(element: Element, draw: () => Promise<void>): () => void {
  observer ??= new IntersectionObserver(look, { rootMargin: near })
  waiting.set(element, { draw })
  // An element that is observed already is told of only when it moves.
  observer.unobserve(element)
  observer.observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}

function look(entries: IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    const next = isIntersecting ? waiting.get(target) : undefined
    if (!next) continue
    waiting.delete(target)
    observer?.unobserve(target)
    queue = queue.then(() => next.draw()).then(pause, pause)
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
