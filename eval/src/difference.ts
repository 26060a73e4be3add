import { differing } from '@copydesk/schema'

const shownLines = 6

/** The lines in which two texts differ, the wanted ones after `-`, the given ones after `+`, at most six of each. */
export function describeDifference(wanted: string, given: string): string {
  const [from, to] = [wanted.split('\n'), given.split('\n')]
  const { first, oldEnd, newEnd } = differing(from, to)
  return [...listed(from.slice(first, oldEnd), '-'), ...listed(to.slice(first, newEnd), '+')].join('\n')
}

function listed(lines: readonly string[], sign: string): string[] {
  const shown = lines.slice(0, shownLines).map((line) => `${sign} ${line}`)
  const more = lines.length - shown.length
  return more > 0 ? [...shown, `${sign} …and ${more} more lines`] : shown
}
