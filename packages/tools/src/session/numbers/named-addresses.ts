// Texts with more addresses aren't lists that a person wrote.
const addressesAtMost = 1000
const written = /(?<![\p{L}\p{N}+.-])https?:\/\/[^\s\p{Cc}<>"`“”„«»]+/giu
const trailing = /[.,;:!?'’*|\]}、。，！？：；]+$/u

/**
 * The web addresses that a text names: only addresses written out in it, with `http://` or `https://`, normalised like
 * in a browser (host in lower case and Punycode, default port and everything after `#` dropped). Another path, query,
 * port, host or scheme is another address, and so is a prefix of a named one; `example.org` alone is a word.
 * Punctuation that ends a sentence, and a bracket or quotation mark around the address, are not part of it. An address
 * with a user name or password is never named.
 */
export function createNamedAddresses(text: string): (address: string) => boolean {
  let named: ReadonlySet<string> | undefined
  return (address) => {
    const wanted = readAddress(address)
    named ??= addressesIn(text)
    return wanted !== undefined && named.has(wanted)
  }
}

function addressesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [match] of text.matchAll(written)) {
    if (found.size >= addressesAtMost) break
    const whole = withoutClosing(match)
    for (const candidate of [whole, whole.replace(trailing, '')]) {
      const address = readAddress(candidate)
      if (address !== undefined) found.add(address)
    }
  }
  return found
}

/** The text before the first bracket that closes one from before the address: `(see https://example.org/a)`. */
function withoutClosing(match: string): string {
  let open = 0
  for (const [index, character] of [...match].entries()) {
    if (character === '(') open += 1
    if (character === ')' && --open < 0) return [...match].slice(0, index).join('')
  }
  return match
}

// The scheme alone decides how the rest is parsed, so an address without `//` is refused, although browsers complete
// it.
function readAddress(address: string): string | undefined {
  const trimmed = address.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  // Also an empty user name, which the parsed address doesn't show.
  if (/^https?:\/\/[^/?#\\]*@/i.test(trimmed)) return undefined
  const url = new URL(trimmed)
  if (url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href
}
