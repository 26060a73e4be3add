// During parsing, quoted passages are replaced by characters of the private use area, so that words such as "with"
// inside of them don't count as syntax.
const opening = '\uE000'
const closing = '\uE001'
const placeholder = /\uE000(\d+)\uE001/g

const quotePattern =
  /"([^"]*)"|“([^“”]+)”|„([^“”]+)[“”]|«\s*([^»]+?)\s*»|`([^`]+)`|‘([^‘’]+)’(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'([^']+(?:'\p{L}[^']*)*)'(?![\p{L}\p{N}])/gu

/**
 * A person's instruction without the mention, politeness and closing punctuation, with its quotations replaced by
 * placeholders; `selection` is the index of the quotation that represents the person's selection. `ending` is the
 * closing punctuation.
 */
export type Phrase = { text: string; ending: string; quotations: readonly string[]; selection?: number }

/** Prepares an instruction for parsing. Supports quotation marks of many kinds, also around several lines. */
export function toPhrase(instruction: string): Phrase {
  const quotations: string[] = []
  let text = instruction.replaceAll(/[\uE000\uE001]/g, '').replaceAll(quotePattern, (_, ...groups: unknown[]) => {
    const inner = groups.slice(0, 7).find((group) => typeof group === 'string')
    quotations.push(typeof inner === 'string' ? inner : '')
    return `${opening}${quotations.length - 1}${closing}`
  })
  text = text.replaceAll(/\s+/g, ' ').trim()
  const noise = [
    // The rest of "@agent: …" after the mention is removed.
    /^[\s,:;.!–—-]+/,
    /^(?:dear|hey|hi|hello)\s*[,!:]\s*/i,
    /^(?:hey |hi |hello |dear )?@?agent\b[\s,:;.!-]*/i,
    /^(?:hey|hi|hello|ok|okay)[\s,!.]+/i,
    /^(?:can|could|would|will) you (?:please |kindly )?/i,
    /^(?:i(?:'d| would) like you to|i want you to|i need you to|let's|just|now|then) /i,
    /^(?:please|kindly|pls)[\s,:]+/i,
    /(?<![\s,])[\s,]+(?:please|pls|thanks?(?: you)?|thx|for me)$/i,
    /(?<=[^\s.!?;,])[.!?;,]+$/,
  ]
  for (let round = 0; round < 3; round++) for (const pattern of noise) text = text.replace(pattern, '').trim()
  const ending = /(?<=[^\s.!?;,])[.!?;,]+$/.exec(instruction.trim())?.[0] ?? ''
  return { text, ending, quotations }
}

/**
 * Restores quotations: a lone quotation is exactly the text between the marks; otherwise filler words around a term are
 * dropped.
 */
export function readTerm(raw: string, { quotations }: Phrase): string {
  const bare = raw
    .trim()
    .replace(
      /^(?:(?:the|a|an|this|that)\s+)?(?:words?|phrase|text|typo|string|sentence|term|paragraph|name)\s+(?=\S)/i,
      '',
    )
  const alone = /^\uE000(\d+)\uE001$/.exec(bare)
  if (alone) return quotations[Number(alone[1])] ?? ''
  return unquoted(bare, quotations)
}

const selectionWords =
  "this|the selection|my selection|the selected (?:text|words?|part|sentence|passage|paragraph)|what I(?: have|'ve)? selected|it"

// Words that may precede "this" where it is the object of a command.
const before = [
  '[a-z]+(?: (?:the )?(?:typo|spelling|on|to|out|of))?',
  '(?:suggest|propose)(?: to)? [a-z]+',
  '(?:add|leave|make|put|write) (?:an? )?comment (?:on|to|at|about)',
  'get rid of',
  '(?:remove|take away|clear) (?:the )?[a-z]+ (?:formatting )?from',
].join('|')
const selectionPattern = new RegExp(
  `^(${before}) (?:${selectionWords})(?: (?:word|phrase|sentence|passage|part|bit))?(?=[ :]|$)(?! (?:document|text|page)\\b)`,
  'i',
)

/** The phrase with the selected text in place of "this", as a quotation. */
export function pointAtSelection(phrase: Phrase, selection: string): Phrase {
  const index = phrase.quotations.length
  const text = phrase.text.replace(selectionPattern, (_, verb: string) => `${verb} ${opening}${index}${closing}`)
  return { ...phrase, text, quotations: [...phrase.quotations, selection], selection: index }
}

/** Whether a part of a command is exactly the person's selection. */
export function isSelection(raw: string, { selection }: Phrase): boolean {
  return selection !== undefined && raw.trim() === `${opening}${selection}${closing}`
}

/**
 * Reads a text that a person dictates at the end of a command, verbatim: no word counts as filler, and its closing
 * punctuation is part of it, unless it was quoted.
 */
export function readDictated(raw: string, phrase: Phrase): string {
  const alone = /^\uE000(\d+)\uE001$/.exec(raw.trim())
  if (alone) return phrase.quotations[Number(alone[1])] ?? ''
  const isLast = raw !== '' && !raw.endsWith(closing) && phrase.text.endsWith(raw)
  return unquoted(raw, phrase.quotations) + (isLast ? phrase.ending : '')
}

function unquoted(text: string, quotations: readonly string[]): string {
  return text.replaceAll(placeholder, (_, index: string) => `"${quotations[Number(index)] ?? ''}"`).trim()
}

/** Which of several matches a command is about; `everywhere` if it says that all are meant. */
export type Scope = { occurrence: 'all' | 'first' | 'last'; block?: number | undefined; everywhere?: boolean }

/** Cuts "everywhere", "the first", "in block 3" and the like from a part of a command. */
export function takeScope(raw: string): { rest: string; scope: Scope } {
  const scope: Scope = { occurrence: 'all' }
  let rest = raw
  const cut = (pattern: RegExp, apply: (match: RegExpExecArray) => void): void => {
    const match = pattern.exec(rest)
    if (!match) return
    apply(match)
    rest = (rest.slice(0, match.index) + rest.slice(match.index + match[0].length)).trim()
  }
  const everywhere =
    'everywhere|throughout(?: the (?:document|text|page))?|in (?:all places|the (?:whole|entire) (?:document|text))|each time|in (?:this|the) (?:document|text)'
  cut(
    /,?\s*\b(?:in|of|from) (?:the )?(?:block|paragraph|line) \[?(\d+)\]?/i,
    (match) => (scope.block = Number(match[1])),
  )
  cut(new RegExp(`(?<![,\\s])[,\\s]+(?:${everywhere})$`, 'i'), () => (scope.everywhere = true))
  cut(/^(?:(?:only|just) )?(?:the )?(first|last)(?: (?:one|occurrence|instance|time))?(?: of)? /i, (match) => {
    scope.occurrence = match[1]?.toLowerCase() === 'last' ? 'last' : 'first'
  })
  cut(
    /(?<![,\s])[,\s]+(?:(?:only|just) )?(?:the )?(first|last)(?: (?:one|occurrence|instance|time))?(?: only)?$/i,
    (match) => {
      scope.occurrence = match[1]?.toLowerCase() === 'last' ? 'last' : 'first'
    },
  )
  cut(
    /^(?:all|every|each)(?: (?:of )?(?:the )?(?:occurrences?|instances?))?(?: of)? /i,
    () => (scope.everywhere = true),
  )
  return { rest, scope }
}
