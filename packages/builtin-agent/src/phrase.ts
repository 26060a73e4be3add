import type { Language } from './language/texts.ts'

// During parsing, quoted passages are replaced by characters of the private use area, so that words such as "with"
// inside of them don't count as syntax.
const opening = '\uE000'
const closing = '\uE001'

/** The pattern of one quoted passage in the text of a phrase. */
export const quotedPattern = `${opening}\\d+${closing}`

const quotePattern =
  /"([^"]*)"|“([^“”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|`([^`]+)`|‘([^‘’]+)’(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'([^']+(?:'\p{L}[^']*)*)'(?![\p{L}\p{N}])/gu

// The rest of "@agent: …" after the mention is removed, politeness, and closing punctuation.
const noise = [
  /^(?:[\s,:;.!–—-]+|(?:dear|hey|hi|hello)\s*[,!:]\s*|(?:hey |hi |hello |dear )?@?agent\b[\s,:;.!-]*)/i,
  /^(?:(?:hey|hi|hello|ok|okay)[\s,!.]+|(?:can|could|would|will) you (?:please |kindly )?|(?:please|kindly)[\s,:]+)/i,
  /^(?:i(?:'d| would) like you to|i want you to|i need you to|let's|just|now|then) /i,
  /(?<![\s,])[\s,]+(?:please|pls|thanks?(?: you)?|thx|for me)$|(?<=[^\s.!?;,])[.!?;,]+$/i,
]

/**
 * A person's instruction without the mention, politeness and closing punctuation (`ending`), with its quotations
 * replaced by placeholders, what the person has selected, and the language of its words.
 */
export type Phrase = {
  text: string
  ending: string
  quotations: readonly string[]
  selection: string | undefined
  language: Language
}

// Words and letters that English has not.
const looksGerman =
  /[äöüß]|\b(?:der|das|dem|ein|eine[rmns]?|und|nicht|den|von|auf|bei|aus|nach|durch|zum|zur|ist|sind|wird|zum|zur|bitte|diese[rmns]?|alle[sn]?|wie|wer|wo|mach|mache|schreibe?|hallo|hilfe|danke|kannst|mir|du|sie|es|ich)\b/iu

const looksEnglish =
  /\b(?:the|this|that|an?|with|to|and|of|is|are|how|what|make|add|replace|delete|remove|change|find|comments?|all|please)\b/i

/**
 * Prepares an instruction for parsing. Supports quotation marks of many kinds, also around several lines. `fallback` is
 * the language of words that tell none.
 */
export function toPhrase(instruction: string, selection?: string, fallback: Language = 'en'): Phrase {
  const quotations: string[] = []
  let text = instruction.replaceAll(/[\uE000\uE001]/g, '').replaceAll(quotePattern, (_, ...groups: unknown[]) => {
    const inner = groups.slice(0, 7).find((group) => typeof group === 'string') ?? ''
    return `${opening}${quotations.push(String(inner)) - 1}${closing}`
  })
  text = text.replaceAll(/\s+/g, ' ').trim()
  for (let round = 0; round < 4; round++) for (const pattern of noise) text = text.replace(pattern, '').trim()
  const ending = /(?<=[^\s.!?;,])[.!?;,]+$/.exec(instruction.trim())?.[0] ?? ''
  const words = text.replaceAll(new RegExp(quotedPattern, 'g'), ' ')
  const language = looksGerman.test(words) ? 'de' : looksEnglish.test(words) ? 'en' : fallback
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
  const isLast = raw !== '' && !raw.endsWith(closing) && phrase.text.endsWith(raw)
  return readPlain(raw, phrase) + (isLast ? phrase.ending : '')
}
