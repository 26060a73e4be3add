import { english, type Texts } from './english-texts.ts'
import { german } from './german-texts.ts'

export type { Texts } from './english-texts.ts'

/** A language of requests and answers. */
export type Language = 'en' | 'de'

/** An answer, or a part of one, in the language of its texts. */
export type Answer = (texts: Texts) => string

/** The texts by language. */
export const textsIn: Readonly<Record<Language, Texts>> = { en: english, de: german }
