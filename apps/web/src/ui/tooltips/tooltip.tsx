import { cloneElement, type ReactElement } from 'react'

type TooltipProps = { text: string; shortcut?: string | undefined; children: ReactElement<Record<string, unknown>> }

/**
 * A short text at a control on hover and focus. `shortcut` is shown in the platform's own notation. The control gets it
 * as data attributes, which `TooltipLayer` reads: a control must pass its attributes on to its element.
 */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return cloneElement(children, { 'data-tooltip': text, 'data-tooltip-shortcut': shortcut })
}
