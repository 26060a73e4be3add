const words = /[\p{L}\p{M}\p{N}]+/gu
// Anything else can carry data that nobody sees.
const plain = /^[\p{L}\p{M}\p{N}\s"'.,:;!?()&+/–-]*$/u
const shortest = 4
const longestEnding = 3
// Words that say how to search and tell nothing about the document.
const neutral = new Set(
  (
    'a an and are at by for from how in is of on or the to vs was were what when where which who why with ' +
    'current data facts figures info information latest meaning new news number numbers official recent site source ' +
    'sources statistics study today website wikipedia'
  ).split(' '),
)

/**
 * Returns a function that says whether a query is spelled out in a text: every word of it is a word of the text, apart
 * from its ending (`panel` for `panels`), or one that tells nothing, such as `latest`.
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
