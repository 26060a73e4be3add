// A text with more addresses is not considered a list written by a person.
const addressesAtMost = 1000
const written = /(?<![\p{L}\p{N}+.-])https?:\/\/[^\s\p{Cc}<>"`“”„«»]+/giu
const trailing = /[.,;:!?'’*|\]}、。，！？：；]+$/u

/**
 * The web addresses in a text: only complete addresses, with `http://` or `https://`, normalised as in a browser (host
 * in lower case and Punycode, default port and everything after `#` dropped). Another path, query, port, host or scheme
 * is another address, and so is a prefix of a named one; `example.org` alone is a word. Punctuation that ends a
 * sentence, and a bracket or quotation mark around the address, are not part of it. An address with a user name or
 * password is never named.
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

/** The text before the first closing bracket that was opened before the address: `(see https://example.org/a)`. */
function withoutClosing(match: string): string {
  let open = 0
  for (const [index, character] of [...match].entries()) {
    if (character === '(') open += 1
    if (character === ')' && --open < 0) return [...match].slice(0, index).join('')
  }
  return match
}

// The rest is parsed according to the scheme, so an address without `//` is refused, although browsers complete it.
/** The address as `createNamedAddresses` compares it; `undefined` for any other text. */
export function readAddress(address: string): string | undefined {
  const trimmed = address.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  // Also an empty user name, which the parsed address doesn't show.
  if (/^https?:\/\/[^/?#\\]*@/i.test(trimmed)) return undefined
  const url = new URL(trimmed)
  if (url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href
}

const words = /[\p{L}\p{M}\p{N}]+/gu
// Other characters could carry hidden data.
const plain = /^[\p{L}\p{M}\p{N}\s"'.,:;!?()&+/–-]*$/u
const shortest = 4
const longestEnding = 3
// Words for how to search, which reveal nothing about the document.
const neutral = new Set(
  (
    'a an and are at by for from how in is of on or the to vs was were what when where which who why with ' +
    'current data facts figures info information latest meaning new news number numbers official recent site source ' +
    'sources statistics study today website wikipedia'
  ).split(' '),
)

/**
 * Returns a function that tests whether a query is spelled out in a text: every word of it is a word of the text, apart
 * from its ending (`panel` for `panels`), or a neutral word such as `latest`.
 */
export function createSpelledOut(text: string): (query: string) => boolean {
  let known: readonly string[] | undefined
  return (query) => {
    known ??= [...new Set(wordsOf(text))]
    const said = known
    return (
      plain.test(query) && wordsOf(query).every((word) => neutral.has(word) || said.some((each) => isForm(word, each)))
    )
  }
}

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(words) ?? []
}

function isForm(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return (
    short.length >= shortest &&
    long.length - short.length <= longestEnding &&
    long.startsWith(short) &&
    !/\p{N}/u.test(long)
  )
}
