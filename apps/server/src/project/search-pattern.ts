const classes: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: String.raw`\t\n\f\r ` }

/**
 * The pattern for ripgrep that finds the same lines as this RE2 pattern; `undefined` where that isn't certain. The
 * dialects differ in classes such as `\w`, which are ASCII in RE2, and in operators inside of brackets.
 */
export function toRipgrepPattern(pattern: string): string | undefined {
  let result = ''
  let isInside = false
  for (let at = 0; at < pattern.length;) {
    const next = isInside ? readInside(pattern, at) : readOutside(pattern, at)
    if (next === undefined) return undefined
    const [length, text] = next
    if (text.startsWith('[') && length <= 2 && pattern[at] === '[') isInside = true
    if (pattern[at] === ']') isInside = false
    result += text
    at += length
  }
  return isInside ? undefined : result
}

type Read = [length: number, text: string] | undefined

function readOutside(pattern: string, at: number): Read {
  const rest = pattern.slice(at)
  const char = pattern[at] ?? ''
  if (char === '\\') return readEscape(rest)
  if (char === '[') return readOpening(rest)
  if (char === '{') return /^\{\d+(,\d*)?\}/.test(rest) ? [1, '{'] : [1, String.raw`\{`]
  if (rest.startsWith('(?') && !/^\(\?(:|i\))/.test(rest)) return undefined
  return [1, char]
}

function readOpening(rest: string): Read {
  const opening = rest.startsWith('[^') ? '[^' : '['
  // A bracket that comes first is one of the characters.
  return rest[opening.length] === ']' ? undefined : [opening.length, opening]
}

function readInside(pattern: string, at: number): Read {
  const rest = pattern.slice(at)
  if (/^(?:\[|&&|--|~~)/.test(rest)) return undefined
  if (!rest.startsWith('\\')) return [1, rest.slice(0, 1)]
  const known = classes[rest[1] ?? '']
  return known === undefined ? readLiteral(rest) : [2, known]
}

function readEscape(rest: string): Read {
  const char = rest[1] ?? ''
  const known = classes[char.toLowerCase()]
  if (known !== undefined) return [2, char === char.toLowerCase() ? `[${known}]` : `[^${known}]`]
  return char === 'b' ? [2, String.raw`(?-u:\b)`] : readLiteral(rest)
}

function readLiteral(rest: string): Read {
  const char = rest[1] ?? ''
  // Here these two would be the ends of a word.
  if (char === '<' || char === '>') return [2, char]
  return /^[!-/:-@[-`{-~trf]$/.test(char) ? [2, `\\${char}`] : undefined
}
