type Waiting = { draw: () => Promise<void> }

// A bit more than a screen, so that formulas are drawn before they scroll into view.
const near = '600px'

const waiting = new WeakMap<Element, Waiting>()
let observer: IntersectionObserver | undefined
let queue: Promise<unknown> = Promise.resolve()

/**
 * Calls `draw` when an element comes near the viewport, one element after the other and never two in one task, so that
 * the user can type while a document full of formulas is drawn. A later call for the same element replaces an earlier
 * one. Returns a function that cancels.
 */
export function drawWhenNear(element: Element, draw: () => Promise<void>): () => void {
  observer ??= new IntersectionObserver(look, { rootMargin: near })
  waiting.set(element, { draw })
  // An observed element is reported again only when it moves.
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
