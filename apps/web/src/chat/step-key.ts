/** The id of a step in the panel: those of the protocol are unique only within their run. */
export function stepKey(run: string, step: string): string {
  return `${run} ${step}`
}

/** Reads `stepKey`. */
export function readStepKey(key: string): { run: string; step: string } {
  const at = key.indexOf(' ')
  return { run: key.slice(0, at), step: key.slice(at + 1) }
}
