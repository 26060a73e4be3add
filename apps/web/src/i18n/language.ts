/** The languages of the interface, by their own names. */
// oxlint-disable-next-line copydesk/translated-text -- a language's own name isn't translated
export const languages = { en: 'English', de: 'Deutsch' } as const

/** The code of a language of the interface. */
export type Language = keyof typeof languages

/**
 * The language of this page, and the user's variant of it (BCP 47, `de-CH`), which determines the format of dates and
 * numbers.
 */
export type Wording = { language: Language; locale: string }

const storageKey = 'copydesk language'

let wording: Wording = { language: 'en', locale: 'en' }

/** The wording of this page. It is set before the first text is shown, and never changes. */
export function currentWording(): Wording {
  return wording
}

export function setWording(next: Wording): void {
  wording = next
}

/** The wording that the user chose in this browser, else the first available one of the browser's languages. */
export function preferredWording(): Wording {
  return findWording(readChoice(), navigator.languages)
}

/**
 * The wording for a stored choice and the wanted languages (BCP 47, best first); English if none of them is available.
 */
export function findWording(choice: string | null, wanted: readonly string[]): Wording {
  const language = [choice ?? '', ...wanted].map(codeOf).find(isLanguage) ?? 'en'
  // Some systems put invalid BCP 47 tags into the list, such as `en-US@posix`.
  const locale = wanted.find((tag) => codeOf(tag) === language && /^[\w-]+$/.test(tag))
  return { language, locale: locale ?? language }
}

function codeOf(tag: string): string {
  return tag.split('-', 1)[0] ?? ''
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code)
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Stores the user's choice in this browser, and reloads the page: its texts are set when it starts. */
export function chooseLanguage(language: string): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Storage is blocked: the browser's language remains.
  }
  location.reload()
}
