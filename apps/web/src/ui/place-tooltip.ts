type Box = { width: number; height: number }
type Control = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

const gap = 6
const margin = 8

/**
 * The position of a tooltip's box, in pixels of the window: above its control, below if there is no room, never
 * outside.
 */
export function placeTooltip(control: Control, box: Box, window: Box): { left: number; top: number } {
  const middle = (control.left + control.right - box.width) / 2
  const left = Math.max(margin, Math.min(middle, window.width - box.width - margin))
  const above = control.top - gap - box.height
  return { left: Math.round(left), top: Math.round(above >= margin ? above : control.bottom + gap) }
}
