/** Focuses an action's button, when the form that it had opened is closed again. */
export function focusAction(place: HTMLElement | null, action: string): void {
  place?.querySelector<HTMLElement>(`[data-action="${CSS.escape(action)}"]`)?.focus({ preventScroll: true })
}
