let note: () => void = () => undefined

// A document may never be shown, for example in a hidden tab.
const longestWaitMs = 2000

/**
 * Resolves when the page has painted its main content, after at most two seconds. Work that no user waits for begins
 * then: before, it would delay the first screen.
 */
export const firstScreen = new Promise<void>((resolve) => {
  note = resolve
  setTimeout(resolve, longestWaitMs)
})

/** Reports that the first screen is painted, or that this page has no main content to wait for. May be called again. */
export function noteFirstScreen(): void {
  note()
}
