import { compile, inEach, type Language, languages, quotedPattern } from './language/language.ts'

const quotePattern =
  /"([^"]*)"|“([^“”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|`([^`]+)`|‘([^‘’]+)’(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'([^']+(?:'\p{L}[^']*)*)'(?![\p{L}\p{N}])/gu

// The rest of "@agent: …" after the mention is removed, politeness, and closing punctuation.
const noise = [
  /^(?:[\s,:;.!–—-]+|(?:dear|hey|hi|hello)\s*[,!:]\s*|(?:hey |hi |hello |dear )?@?agent\b[\s,:;.!-]*)/i,
  ...Object.values(languages).flatMap((data) => data.polite.map((pattern) => compile(pattern, data))),
  /(?<=[^\s.!?;,])[.!?;,]+$/,
]

const signs = inEach((data) => compile(data.signs, data))

/**
 * A person's instruction without the mention, politeness and closing punctuation (`ending`), with its quotations
 * replaced by placeholders, what the person has selected, and the language of its words.
 */
export type Phrase = { text: string; ending: string; quotations: readonly string[] } & {
  selection: string | undefined
  language: Language
}

/**
 * Prepares an instruction for parsing. Supports quotation marks of many kinds, also around several lines. `fallback` is
 * the language of words that tell none.
 */
export function toPhrase(instruction: string, selection?: string, fallback: Language = 'en'): Phrase {
  const quotations: string[] = []
  let text = instruction.replaceAll(/[\uE000\uE001]/g, '').replaceAll(quotePattern, (_, ...groups: unknown[]) => {
    const inner = groups.slice(0, 7).find((group) => typeof group === 'string') ?? ''
    return `\uE000${quotations.push(String(inner)) - 1}\uE001`
  })
  text = text.replaceAll(/\s+/g, ' ').trim()
  for (let round = 0; round < 4; round++) for (const pattern of noise) text = text.replace(pattern, '').trim()
  const ending = /(?<=[^\s.!?;,])[.!?;,]+$/.exec(instruction.trim())?.[0] ?? ''
  const words = text.replaceAll(new RegExp(quotedPattern, 'g'), ' ')
  const language = signs.de.test(words) ? 'de' : signs.en.test(words) ? 'en' : fallback
  return { text, ending, quotations, selection, language }
}

/** The text between the marks if a part of a phrase is one quotation and nothing else. */
export function readQuoted(raw: string, { quotations }: Phrase): string | undefined {
  const [, index] = /^\uE000(\d+)\uE001$/.exec(raw.trim()) ?? []
  return index === undefined ? undefined : (quotations[Number(index)] ?? '')
}

/** A part of a phrase as the person wrote it; a lone quotation without its marks. */
export function readPlain(raw: string, phrase: Phrase): string {
  const inMarks = (mark: string): string => `"${readQuoted(mark, phrase) ?? ''}"`
  return readQuoted(raw, phrase) ?? raw.replaceAll(/\uE000\d+\uE001/g, inMarks).trim()
}

/** A dictated text at the end of a command, verbatim, with its closing punctuation unless it was quoted. */
export function readDictated(raw: string, phrase: Phrase): string {
  const isLast = raw !== '' && !raw.endsWith('\uE001') && phrase.text.endsWith(raw)
  return readPlain(raw, phrase) + (isLast ? phrase.ending : '')
}
