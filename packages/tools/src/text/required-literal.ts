/**
 * The longest run of ASCII letters, digits, `_` and spaces that every match of an RE2 pattern must contain, in upper or
 * lower case as in the pattern; empty if none is certain. Used to skip texts quickly: for alternatives, flags, or other
 * complex syntax it returns a shorter literal, which every match contains.
 */
export function requiredLiteral(pattern: string): string {
  if (/\||\(\?|\\[QEpPx0-9C]/.test(pattern)) return ''
  const quantifierAt = /(?:[*?+]|\{\d[\d,]*\})\??/y
  let best = ''
  let run = ''
  const settle = (): void => {
    if (run.length > best.length) best = run
    run = ''
  }
  for (let at = 0; at < pattern.length;) {
    const end = endOfAtom(pattern, at)
    const atom = pattern.slice(at, end)
    quantifierAt.lastIndex = end
    const quantifier = quantifierAt.exec(pattern)?.[0] ?? ''
    at = end + quantifier.length
    if (!/^[A-Za-z0-9_ ]$/.test(atom)) {
      if (!/^\\[bB]$|^[\^$]$/.test(atom)) settle()
    } else if (quantifier === '') run += atom
    else settle()
  }
  settle()
  return best
}

// An atom is one character, an escape, a class or a whole group; an unclosed one reaches to the end.
function endOfAtom(pattern: string, at: number): number {
  const first = pattern[at]
  if (first === '\\') return Math.min(at + 2, pattern.length)
  if (first === '[') return endOfClass(pattern, at)
  if (first !== '(') return at + 1
  let depth = 0
  for (let pos = at; pos < pattern.length;) {
    if (pattern[pos] === '(') depth++
    if (pattern[pos] === ')' && --depth === 0) return pos + 1
    pos = pattern[pos] === '[' ? endOfClass(pattern, pos) : pos + (pattern[pos] === '\\' ? 2 : 1)
  }
  return pattern.length
}

function endOfClass(pattern: string, at: number): number {
  const negated = pattern[at + 1] === '^' ? 1 : 0
  // A `]` that comes first in a class is literal.
  for (let pos = at + 1 + negated + (pattern[at + 1 + negated] === ']' ? 1 : 0); pos < pattern.length; pos++) {
    if (pattern[pos] === '\\') pos++
    else if (pattern.startsWith('[:', pos)) pos = Math.max(pos, pattern.indexOf(':]', pos) + 1)
    else if (pattern[pos] === ']') return pos + 1
  }
  return pattern.length
}
