import { type Phrase, readPlain } from '../phrase.ts'
import type { Answer } from './texts.ts'

// German politeness around a command; quotations are placeholders by then.
const noise = [
  /^(?:(?:hallo|hi|hey|moin)[\s,!.]+(?=\S)|(?:kannst|könntest|würdest) du (?:bitte )?|(?:können|könnten|würden) sie (?:bitte )?|bitte[\s,:]+)/i,
  /(?<![\s,])[\s,]+(?:bitte|danke(?: schön)?)$|(?<=[^\s.!?;,])[.!?;,]+$/i,
  / bitte(?= )/i,
]

const mark = '\uE000\\d+\uE001'
const drop = '(?:lösche?|entferne?|streiche?)'
const change = '(?:ersetze?|ändere?|tausche?|korrigiere?|verwandle|benenne)'
const make = '(?:mache?|setze?|formatiere?|stelle?|verwandle|wandle)'
const add = '(?:füge?|schreibe?|setze?|ergänze?|hänge?)'
const show = '(?:zeige?|liste?|nenne?|gib|gibt es)(?: mir| uns)?(?: alle| die| noch)*'
const whole =
  '(?: (?:es|gibt|sind|hat|enthält|hier|da|offen|im|in|zu|zum|das|der|diese[mrs]?|dem|den|des|dokuments?|texte?s?|auf))*'
const noun = `(?:(?:eine?n?|die|den|das) )?(?:neuen? )?(?<noun>überschrift|titel|listenpunkt|aufzählungspunkt|absatz|satz|zeile|wort|text)?(?: (?<level>[1-6]))?`

const formats: readonly (readonly [pattern: string, english: string])[] = [
  ['fett(?:druck|schrift|ung)?', 'bold'],
  ['kursiv(?:schrift)?', 'italic'],
  ['code ?block', 'a code block'],
  ['(?:inline-?)?code', 'code'],
  ['durchgestrichen|durchstreichung', 'strikethrough'],
  ['unterstrichen|unterstreichung', 'underlined'],
  ['hervorgehoben|hervorhebung', 'highlighted'],
  ['zitat', 'a quote'],
  ['nummerierten? liste', 'a numbered list'],
  ['(?:aufgaben|check)liste', 'a task list'],
  ['(?:aufzählung(?:sliste)?|liste)', 'a list'],
  ['überschrift(?: (?:der )?(?:ebene |stufe )?[1-6])?', 'a heading'],
  ['(?:normalen? )?absatz', 'a paragraph'],
]
const format = `(?<format>${formats.map(([words]) => words).join('|')})`

const nouns: Readonly<Record<string, string>> = {
  überschrift: 'heading',
  titel: 'title',
  listenpunkt: 'list item',
  aufzählungspunkt: 'list item',
}

/**
 * German commands and what they are in English. A form is a regular expression with the parts `{t}` and `{u}` (texts),
 * `{p}` (a place), `{s}` (a text verbatim); `<name>` in the English command is a part that was translated before.
 */
const commands: readonly (readonly [form: RegExp, english: string])[] = (
  [
    ['(?:hilfe|hallo|moin|befehle|was kannst du(?: alles)?|wer bist du)', 'help'],
    [`(?:welche |${show} )?(?:offenen )?kommentare${whole}`, 'what comments are there'],
    [`(?:welche |${show} )?(?:offenen )?(?:vorschläge|änderungen)${whole}`, 'what suggestions are there'],
    ['(?:nimm|akzeptiere?|übernimm) alle (?:vorschläge|änderungen)(?: an)?', 'accept all suggestions'],
    ['alle (?:vorschläge|änderungen) (?:annehmen|akzeptieren|übernehmen)', 'accept all suggestions'],
    ['(?:lehne?|verwirf) alle (?:vorschläge|änderungen)(?: ab)?', 'reject all suggestions'],
    ['alle (?:vorschläge|änderungen) (?:ablehnen|verwerfen)', 'reject all suggestions'],
    ['(?:nimm|akzeptiere?|übernimm) (?:den|die|das) (?:vorschlag|änderung)(?: .*)?', 'accept the suggestion'],
    ['(?:lehne?|verwirf) (?:den|die|das) (?:vorschlag|änderung)(?: .*)?', 'reject the suggestion'],
    ['schlage? vor,? {t} (?:durch|mit|gegen) {u} zu (?:ersetzen|tauschen)', 'suggest replacing <t> with <u>'],
    ['schlage? vor,? {t} (?:in|zu) {u} zu ändern', 'suggest replacing <t> with <u>'],
    ['schlage? vor,? {t} zu (?:löschen|entfernen|streichen)', 'suggest deleting <t>'],
    ['(?:erledige?|schließe?|markiere?) alle (?:offenen )?kommentare(?: als erledigt)?', 'resolve all comments'],
    ['(?:erledige?|schließe?) den kommentar(?: (?:zu|bei|über) {t})?', 'resolve the comment on <t>'],
    [
      '(?:antworte?|beantworte?)(?: auf)? (?:den|dem) kommentar(?: (?:zu|bei) {t})?(?: mit)?: ?{s}',
      'reply to the comment on <t>: <s>',
    ],
    ['(?:kommentiere?|kommentar (?:zu|bei)) {t}: ?{s}', 'comment on <t>: <s>'],
    [`${add} (?:einen|den) kommentar (?:zu|bei) {t}(?: hinzu)?: ?{s}`, 'comment on <t>: <s>'],
    ['kommentar: ?{s}', 'comment: <s>'],
    [`${drop} (?:die |das )?${format} (?:von|aus|bei) {t}`, 'remove the <format> from <t>'],
    ['unterstreiche? {t}', 'underline <t>'],
    ['streiche? {t} durch', 'strike out <t>'],
    [`${make} ${format} aus {t}`, 'make <t> <format>'],
    [`${make} (?:eine?n? )${format} aus {t}`, 'make <t> <format>'],
    [`${make} daraus (?:eine?n? )?${format}`, 'make this <format>'],
    [`${make} {t} (?:in |als |zu |zur |zum )?(?:eine[rmn]? )?${format}(?: um)?`, 'make <t> <format>'],
    ['(?:verlinke?|verknüpfe?) {t} (?:mit|auf|zu) (?<url>(?:https?://|mailto:)\\S+)', 'link <t> to <url>'],
    ['(?:markiere?|hebe?) {t}(?: hervor)?', 'highlight <t>'],
    [
      `(?:(?:gib|zeige?|mache?|schreibe?)(?: mir| uns)? )?(?:die |eine |einen )?(?:gliederung|zusammenfassung|übersicht|überblick)${whole}`,
      'outline',
    ],
    ['worum geht(?: es|’s|s)?(?: hier)?(?: in diesem (?:text|dokument))?', 'outline'],
    ['fasse? (?:das|den|dieses|diesen) (?:dokument|text|ganze) zusammen', 'outline'],
    [`(?:wie viele (?:wörter|worte)|zähle? (?:die )?(?:wörter|worte)|wortzahl)${whole}`, 'how many words'],
    ['wie oft (?:kommt|steht) {t}(?: (?:hier|im (?:text|dokument)))?(?: vor)?', 'how often does <t> occur'],
    ['(?:finde|suche?(?: nach)?|wo (?:steht|ist|kommt)|zeige?(?: mir)?) {t}(?: vor)?', 'find <t>'],
    [`${drop} den letzten abschnitt`, 'delete the last section'],
    [`${drop} (?:den )?abschnitt (?<plain>${mark}|\\S+)`, 'delete the section <plain>'],
    [`${change} {t} (?:durch|mit|gegen|in|zu): {s}`, 'replace <t> with: <s>'],
    [`${change} {t} (?:durch|mit|gegen|in|zu) {u}(?: aus| um)?`, 'replace <t> with <u>'],
    ['{t} durch {u} ersetzen', 'replace <t> with <u>'],
    ['{t} in {u} ändern', 'replace <t> with <u>'],
    [`${drop} {t}`, 'delete <t>'],
    ['{t} (?:löschen|entfernen|streichen)', 'delete <t>'],
    [`{t} ${format} machen`, 'make <t> <format>'],
    ['(?:hänge|füge) an: ?{s}', 'append: <s>'],
    [`${add} ${noun} ?(?<said>${mark})(?: {p})??(?: ein| hinzu| an)?`, 'add <noun> <said> <p>'],
    [`${add} {p} ${noun} ?(?<said>${mark})(?: ein| hinzu| an)?`, 'add <noun> <said> <p>'],
    [`${add} ${noun} ?(?:{p} )?(?:ein|hinzu|an): ?{s}`, 'add <noun> <p>: <s>'],
    [`(?:${add})(?: .*)?`, 'add'],
    [
      '(?:mache?|nimm) (?:das|es|alles|deine (?:letzten? )?änderung(?:en)?|die letzten? änderung(?:en)?)(?: wieder)? (?:rückgängig|zurück)',
      'undo that',
    ],
    ['(?:alles |das )?rückgängig(?: machen)?', 'undo that'],
  ] as const
).map(([form, english]) => {
  const source = form.replaceAll(/\{([a-z])\}/g, '(?<$1>.+?)')
  return [new RegExp(`^(?:${source})$`, 'iu'), english]
})

/**
 * A German command as the same one in English, with the user's texts as they are; or why a part of it isn't sure;
 * undefined if it isn't known.
 */
export function fromGerman(phrase: Phrase): Phrase | { unsure: Answer } | undefined {
  let said = phrase.text
  for (let round = 0; round < 3; round++) for (const pattern of noise) said = said.replace(pattern, '').trim()
  let unsure: Answer | undefined
  for (const [form, english] of commands) {
    const match = form.exec(said)
    if (!match) continue
    const groups = match.groups ?? {}
    const doubt = findDoubt(groups, phrase)
    if (!doubt) return { ...phrase, text: inEnglish(english, groups), language: 'de' }
    unsure ??= doubt
  }
  return unsure && { unsure }
}

type Groups = Readonly<Record<string, string | undefined>>

function findDoubt({ t, u, p }: Groups, phrase: Phrase): Answer | undefined {
  if (t !== undefined && textInEnglish(t) === undefined) return (texts) => texts.whichText(readPlain(t, phrase))
  if (u !== undefined && replacementInEnglish(u) === undefined)
    return (texts) => texts.whatToWrite(readPlain(u, phrase))
  if (p !== undefined && placeInEnglish(p) === undefined) return (texts) => texts.whichPlace(readPlain(p, phrase))
  return undefined
}

// What is missing is left out, with the word before it that leads to it.
function inEnglish(english: string, groups: Groups): string {
  return english.replaceAll(/( on)?( ?)<([a-z]+)>/g, (_, lead = '', space: string, name: string) => {
    const part = partInEnglish(name, groups[name]?.trim(), groups)
    return part === '' ? '' : `${lead}${space}${part}`
  })
}

function partInEnglish(name: string, raw: string | undefined, groups: Groups): string {
  if (raw === undefined) return ''
  if (name === 't') return textInEnglish(raw) ?? ''
  if (name === 'u') return replacementInEnglish(raw) ?? ''
  if (name === 'p') return placeInEnglish(raw) ?? ''
  if (name === 'noun') return `${nouns[raw.toLowerCase()] ?? ''}${groups['level'] ? ` level ${groups['level']}` : ''}`
  if (name !== 'format') return raw
  const [, english = ''] = formats.find(([words]) => new RegExp(`^(?:${words})$`, 'iu').test(raw)) ?? []
  return `${english}${english === 'a heading' ? ` ${/[1-6]/.exec(raw)?.[0] ?? '2'}` : ''}`
}

const selected =
  /^(?:(?:dies|das|diese[nsrm]?|es|hier)(?: hier)?|(?:die|meine|diese) (?:auswahl|markierung)|(?:de[nm]|das|die|diesen?|dieses) (?:(?:ausgewählten?|markierten?) )?(?:text|wort|wörter|satz|stelle|zeile))$/iu
const which = /^(?:nur )?(?:das|den|die|dem) (erste|letzte)[nm]? (?:vorkommen von )?/iu
const each = /^(?:alle|sämtliche|jede[sn]?)(?: vorkommen von)? /iu
const everywhere = /,? (?:überall|im ganzen (?:dokument|text)|im gesamten (?:dokument|text))$/iu
const label = new RegExp(
  `^(?:(?:das|den|die|der|dem) )?(?:wort|text|satz|ausdruck|begriff|namen?) (?=${mark}$|\\S+$)`,
  'iu',
)
const pointing = 'der|die|das|den|dem|es|alles?|jede[sn]?|hier|dort|ihn|sie|beide[sn]?|nichts|etwas|ein(?:e[nrms]?)?'
const kinds =
  '.*(?:absatz|absätze|abschnitte?|überschrift(?:en)?|titel|satz|sätze|wort|wörter|zeilen?|seiten?|listen?|tabellen?|' +
  'fehler|tippfehler|kommentare?|bilder|bild|einleitung|zusammenfassung|text|dokument|anfang|ende|zahlen|links?|synonym)'
// Words that describe a text or point at one; quoted ones are a text.
const describing = new RegExp(`^(?:${pointing}|${kinds})$`, 'iu')
const kind = new RegExp(`^${kinds}$`, 'iu')

/** What replaces a text, in an English command: a quotation or one word, also one such as "das". */
function replacementInEnglish(raw: string): string | undefined {
  const text = raw.replace(everywhere, '')
  const isText = isQuotation(text) || (isWord(text) && !kind.test(text))
  return isText ? `${text}${text === raw ? '' : ' everywhere'}` : undefined
}

const isQuotation = (text: string): boolean => new RegExp(`^${mark}$`, 'u').test(text)
const isWord = (text: string): boolean => /^[^\s\uE000]+$/u.test(text)

/** A text of the document in an English command: a quotation or one word, all places of it, or the selection. */
function textInEnglish(raw: string): string | undefined {
  if (selected.test(raw)) return 'this'
  const all = everywhere.test(raw) || each.test(raw) ? ' everywhere' : ''
  const [, first] = which.exec(raw) ?? []
  const text = raw.replace(everywhere, '').replace(each, '').replace(which, '').replace(label, '')
  if (!isQuotation(text) && (!isWord(text) || describing.test(text))) return undefined
  return `${first === undefined ? '' : `the ${first.toLowerCase() === 'erste' ? 'first' : 'last'} `}${text}${all}`
}

const atEnd = /^(?:am|ans|zum|ganz am) (?:(anfang)|ende|schluss)(?: (?:des|vom) (?:dokuments?|textes|text|seite))?$/iu
const nextTo = /^(?:direkt )?(?:(vor|über)|nach|hinter|unter) (.+)$/iu

function placeInEnglish(raw: string): string | undefined {
  if (/^(?:hier|an der (?:einfügemarke|auswahl)|am cursor|nach der auswahl)$/iu.test(raw)) return 'here'
  const end = atEnd.exec(raw)
  if (end) return end[1] === undefined ? 'at the end' : 'at the beginning'
  const [, before, at] = nextTo.exec(raw) ?? []
  const text = at === undefined ? undefined : textInEnglish(at)
  return text === undefined || text === 'this' ? undefined : `${before === undefined ? 'after' : 'before'} ${text}`
}
