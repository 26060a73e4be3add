const shownLines = 6

/** The lines in which two texts differ, the wanted ones after `-`, the given ones after `+`, at most six of each. */
export function describeDifference(wanted: string, given: string): string {
  const [from, to] = [wanted.split('\n'), given.split('\n')]
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let end = 0
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return [...listed(from.slice(start, from.length - end), '-'), ...listed(to.slice(start, to.length - end), '+')].join(
    '\n',
  )
}

function listed(lines: readonly string[], sign: string): string[] {
  const shown = lines.slice(0, shownLines).map((line) => `${sign} ${line}`)
  const more = lines.length - shown.length
  return more > 0 ? [...shown, `${sign} …and ${more} more lines`] : shown
}
