import { type Examples, inOneLine, type Texts } from './english-texts.ts'

const quote = (text: string): string => `„${inOneLine(text)}“`
const unchanged = 'Ich habe nichts geändert.'
const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`

const examples: Examples = [
  [/rückgängig|^nimm\b/i, 'mach das rückgängig · ersetze "X" durch "Y" · lösche "X"'],
  [
    /akzeptier|übernimm|übernehm|annehm|ablehn|verwirf|verwerf/i,
    'nimm alle Vorschläge an · lehne alle Vorschläge ab · welche Vorschläge gibt es?',
  ],
  [
    /schlag|vorschl/i,
    'schlage vor, "X" durch "Y" zu ersetzen · schlage vor, "X" zu löschen · schlage vor, das zu löschen',
  ],
  [/komment|erledig|antwort/i, 'kommentiere "X": Quelle fehlt · welche Kommentare gibt es? · erledige alle Kommentare'],
  [/abschnitt|kapitel/i, 'lösche den Abschnitt "X" · lösche den letzten Abschnitt · füge eine Überschrift "X" hinzu'],
  [
    /^(?:füge?|ergänze?|schreibe?|setze?|hänge?)\b|(?:hinzu|ein)fügen|schreiben$/i,
    'füge "X" am Ende ein · füge "X" hier ein · füge "X" nach "Y" ein',
  ],
  [/überschrift|titel/i, 'mach "X" zur Überschrift 2 · füge eine Überschrift "X" hinzu · mach das zur Überschrift 3'],
  [/\bmach|format|fett|kursiv|unterstr|durchstr/i, 'mach "X" fett · entferne Fett von "X" · mach das kursiv'],
  [/^(?:lösch|entfern|streich)|löschen$|entfernen$/i, 'lösche "X" · lösche das letzte "X" · lösche das'],
  [
    /^(?:finde|suche?|zeig|wo|wer|was|welche|wie|warum|geh|spring|markier)/i,
    'finde "X" · markiere "X" · gib mir eine Gliederung',
  ],
  [/(?:)/, 'ersetze "X" durch "Y" · ändere das erste "X" in "Y" · lösche "X"'],
]

const formats: Readonly<Record<string, string>> = {
  bold: 'fett',
  italic: 'kursiv',
  code: 'Code',
  strike: 'durchgestrichen',
  underline: 'unterstrichen',
  highlight: 'hervorgehoben',
  codeBlock: 'Codeblock',
  blockquote: 'Zitat',
  orderedList: 'nummerierte Liste',
  taskList: 'Aufgabenliste',
  bulletList: 'Liste',
  heading: 'Überschrift',
  paragraph: 'Absatz',
  link: 'Link',
}

// Tools explain their failures in English; their codes say enough.
const problems: Readonly<Record<string, string>> = {
  not_found: 'Der Text ist nicht im Dokument.',
  ambiguous: 'Es gibt mehrere solche Stellen.',
  stale: 'Der Text hat sich inzwischen geändert.',
  out_of_range: 'Diese Stelle gibt es nicht.',
  no_selection: 'Es ist nichts ausgewählt.',
  invalid_operation: 'Das ist dort nicht möglich.',
  invalid_position: 'Dort kann das nicht stehen.',
  too_large: 'Das ist zu groß.',
  not_configured: 'Das ist auf diesem Server nicht eingerichtet.',
  denied: 'Das ist nicht erlaubt.',
  rejected: 'Das wurde abgelehnt.',
  unavailable: 'Das ist im Moment nicht möglich.',
}

const tools: Readonly<Record<string, string>> = {
  edit_document: 'Änderungen am Text',
  insert_text: 'Einfügungen',
  replace_text: 'Ersetzungen',
  apply_formatting: 'Formatierungen',
  update_section: 'Abschnitte',
  undo_changes: 'das Rückgängigmachen',
  decide_change: 'Entscheidungen über Vorschläge',
  highlight_text: 'Markierungen',
}

/** The texts of answers in German. */
export const german: Texts = {
  examples,
  someWords: '"einige Wörter"',
  otherWords: '"andere Wörter"',
  youCanSay: (commands) => `Sie können sagen: ${commands}`,
  helpStart: 'Ich bin der eingebaute Agent: Ich arbeite ohne Modell und verstehe einfache Befehle wie diese:',
  helpEnd:
    'Wählen Sie einen Text aus, dann ist „das“ dieser Text: mach das fett, ersetze das durch "Y", kommentiere das: ein Text.',
  unchanged,
  stopped:
    'Ich habe an einer Grenze angehalten, bevor ich fertig war. Was ich bis dahin geändert habe, bleibt; der Rest ist offen.',
  noTool: (tool) => {
    const use =
      tools[tool] ?? (tool.includes('comment') ? 'Kommentare' : tool.startsWith('suggest') ? 'Vorschläge' : tool)
    return `Das kann ich nicht tun: In diesem Dokument habe ich kein Werkzeug für ${use}. ${unchanged}`
  },
  suggestions: 'Das sind Vorschläge: Nehmen Sie sie im Text an, oder lehnen Sie sie ab.',
  mostPlaces: (most) => `Ich ändere höchstens ${most} Stellen auf einmal. Wiederholen Sie den Befehl für die übrigen.`,
  problem: (sentence, code) => problems[code] ?? sentence,
  otherwise: (sentence) =>
    sentence.startsWith('Nothing to change') ? 'Nichts zu ändern' : 'Ausgeführt, wie Sie es geändert haben',
  notDone: (problem) => `Nicht ausgeführt: ${problem}`,
  notChanged: (problem) => `Nicht geändert: ${problem}`,
  notUnderstood: (said) => `Ich habe ${quote(said)} nicht verstanden.`,
  whichText: (said) =>
    `Ich weiß nicht, welcher Text ${quote(said)} ist: Wählen Sie ihn aus, oder setzen Sie seine Wörter in Anführungszeichen.`,
  whatToWrite: (said) =>
    `Ich bin nicht sicher, was ich schreiben soll: ${quote(said)} sagt mehr als das oder ist kein Text.`,
  whichPlace: (said) => `Ich kenne die Stelle ${quote(said)} nicht.`,
  onlyQuoted: 'Ich füge nur einen Text in Anführungszeichen ein, an einer Stelle, die Sie nennen.',
  whatComment: 'Was soll im Kommentar stehen?',
  commentOnWhat: 'Wozu? Wählen Sie den Text aus, oder setzen Sie seine Wörter in Anführungszeichen.',
  oneComment: 'Ich kommentiere nur eine Stelle auf einmal.',
  allSuggestions: (accept) =>
    `Ich ${accept ? 'nehme alle Vorschläge auf einmal an' : 'lehne alle Vorschläge auf einmal ab'}, wenn Sie es sagen; ` +
    'über einen einzelnen entscheiden Sie im Text.',
  notFound: (text) =>
    `Ich habe ${quote(text)} nicht gefunden: Nennen Sie den Text genau so, wie er dort steht. ${unchanged}`,
  notAllSeen: (total, text) => `Ich sehe nicht alle ${total} Stellen von ${quote(text)}. ${unchanged}`,
  onlyPart: (text) =>
    `${quote(text)} ist hier nur ein Teil anderer Wörter. Wenn Sie das meinen, setzen Sie es in Anführungszeichen. ${unchanged}`,
  several: (text, count) =>
    `${quote(text)} steht dort ${count}-mal: Sagen Sie „das erste“ oder „das letzte“, oder nennen Sie mehr Wörter. ${unchanged}`,
  partOfBlock: (text) => `${quote(text)} ist nur ein Teil seines Absatzes. Nennen Sie die ganze Zeile.`,
  noSection: (title) => `Es gibt keinen Abschnitt ${quote(title)}. ${unchanged}`,
  severalSections: (title) => `Mehrere Abschnitte heißen ${quote(title)}. ${unchanged}`,
  nothingToUndo: 'Von mir gibt es nichts, was sich zurücknehmen lässt.',
  noComments: 'Es gibt keine Kommentare.',
  noSuggestions: 'Es gibt keine Vorschläge.',
  noOpenComments: (on) => `Es gibt keine offenen Kommentare${on && ` zu ${quote(on)}`}.`,
  whichComment: (count, on) =>
    `Es gibt ${count} offene Kommentare${on && ` zu ${quote(on)}`}. Sagen Sie, welchen, mit dem Text, zu dem er gehört.`,
  added: (text) => `${quote(text)} eingefügt`,
  deleted: (text) => `${quote(text)} gelöscht`,
  deletedSection: (title) => `Abschnitt ${quote(title)} gelöscht`,
  undid: (request) => `zurückgenommen, worum Sie mit ${quote(request)} gebeten haben`,
  formatted: (text, format, remove) => `${quote(text)}: ${remove ? 'nicht mehr ' : ''}${formats[format] ?? format}`,
  decided: (accept) => `alle Vorschläge ${accept ? 'angenommen' : 'abgelehnt'}`,
  suggestedDeletion: (text) => `Löschung von ${quote(text)} vorgeschlagen`,
  suggestedReplacement: (text, by) => `${quote(text)} → ${quote(by)} vorgeschlagen`,
  resolved: 'Kommentar erledigt',
  replied: (text) => `geantwortet: ${quote(text)}`,
  commented: (text) => `${quote(text)} kommentiert`,
  highlighted: (text) => `${quote(text)} markiert`,
  thread: (on, comments) =>
    `zu ${quote(on)}: ${comments.map(({ author, text }) => `${author}: ${quote(text)}`).join(' · ')}`,
  suggestion: (author, text, isFormatting) => {
    const [, verb, said] = /^(adds|removes) (".*")$/.exec(text) ?? []
    const change =
      verb === undefined ? text : `${verb === 'adds' ? 'fügt' : 'löscht'} ${said}${verb === 'adds' ? ' ein' : ''}`
    return `${author}: ${isFormatting ? 'formatiert ' : ''}${change}`
  },
  more: (line) => line.replace(/^…and (\d+) more/, '…und $1 weitere'),
  line: quote,
  wordCount: (words) => `Das Dokument hat ${counted(words, 'Wort', 'Wörter')}.`,
  occurs: (text, count) =>
    count === 0 ? `${quote(text)} kommt im Dokument nicht vor` : `${quote(text)} kommt ${count}-mal vor`,
  emptyDocument: 'Das Dokument ist leer.',
  size: (blocks, words, headings) =>
    [
      counted(blocks, 'Block', 'Blöcke'),
      counted(words, 'Wort', 'Wörter'),
      counted(headings, 'Überschrift', 'Überschriften'),
    ].join(', '),
}
