let note: () => void = () => undefined

// A document may not be shown at all, or in a tab that isn't looked at.
const longestWaitMs = 2000

/**
 * Resolves when the page has painted what its user came for, at the latest after two seconds. What nobody waits for
 * begins then: before, it would take time from the first screen.
 */
export const firstScreen = new Promise<void>((resolve) => {
  note = resolve
  setTimeout(resolve, longestWaitMs)
})

/** Reports that the first screen is painted, or that this page has nothing to wait for. May be called again. */
export function noteFirstScreen(): void {
  note()
}
