import { refuse, type Refusal } from '../../common/errors.ts'

// The most common beginnings of passwords in leaked lists; longer variants begin with them, too.
const obvious = [
  'password',
  'passwort',
  'motdepasse',
  'contraseña',
  'letmein',
  'welcome',
  'willkommen',
  'iloveyou',
  'administrator',
  'trustno1',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'superman',
  'dragon',
  'monkey',
  'master',
  'shadow',
  'changeme',
  'default',
  'secret',
  'copydesk',
  'qwerty',
  'qwertz',
  'azerty',
]
// Rows are cyclic: the first key follows the last.
const rows = ['1234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm', 'zxcvbnm']

/**
 * Refuses a password of valid length that is easy to guess: a common one with digits appended, a row of keys, a few
 * repeated characters, or the user's own name or address.
 */
export function checkPassword(
  password: string,
  { email, name }: { email: string; name?: string },
): Refusal | undefined {
  const folded = password.normalize('NFKC').toLowerCase()
  const own = [email, email.split('@')[0] ?? '', name ?? ''].map((part) => part.toLowerCase())
  // The rest after all guessable parts are removed.
  const rest = [...obvious, ...own.filter((part) => part.length >= 4)]
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, part) => text.replaceAll(part, ''), folded)
    .replace(/[\d\s\p{P}\p{S}]+$/u, '')
    .replace(/^[\d\s\p{P}\p{S}]+/u, '')
  const isGuessed = rest.length < 4 && !isVaried(folded)
  if (!isGuessed && new Set(folded).size >= 5 && !isRow(folded)) return undefined
  return refuse('invalid_input', 'That password is easy to guess.', 'Use a few words that do not belong together.')
}

// A long number that isn't a row of keys is hard enough to guess.
function isVaried(text: string): boolean {
  return /^\d+$/.test(text) && new Set(text).size >= 7 && !isRow(text)
}

// Whether most characters are adjacent to the next one in a row, in either direction.
function isRow(text: string): boolean {
  const letters = [...text.replaceAll(/[^\p{L}\p{N}]/gu, '')]
  const isBeside = (one: string, next: string | undefined): boolean =>
    rows.some(
      (row) => next !== undefined && ((row + row[0]).includes(one + next) || (row + row[0]).includes(next + one)),
    )
  const beside = letters.filter((letter, index) => isBeside(letter, letters[index + 1])).length
  return beside > (letters.length - 1) * 0.7
}
