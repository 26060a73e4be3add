import type { LucideIcon } from 'lucide-react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

const drawn = new WeakMap<LucideIcon, Element>()

/**
 * An icon of the toolbar's set as plain DOM, for elements that React doesn't render. Each is rendered once and then
 * cloned.
 */
export function drawIcon(icon: LucideIcon): Element {
  const known = drawn.get(icon) ?? draw(icon)
  drawn.set(icon, known)
  return known.cloneNode(true) as Element
}

function draw(Icon: LucideIcon): Element {
  const host = document.createElement('span')
  const root = createRoot(host)
  flushSync(() => root.render(<Icon size={16} aria-hidden />))
  const picture = host.firstElementChild?.cloneNode(true)
  root.unmount()
  return picture instanceof Element ? picture : host
}
