import {
  all,
  answersOnly,
  asksBack,
  becomes,
  commentCount,
  comments,
  holds,
  keepsOthers,
  suggests,
  untouched,
} from '../checks.ts'
import { edited } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, comment, edit, format, insertAfter, insertAt, read, replaceAll } from '../scripting.ts'

const german = `# Einladung

Wir laden Sie herzlich zur Jahreshauptversammlung ein. Die Versammlung begint um 18 Uhr.

- Begrüßung
- Kassenbericht

Um Antwort bis zum 3. Mai wird gebeten.
`

const hebrew = `# הצעת מחיר

שלום רב, מצורפת הצעת המחיר לפרויקט.

המחיר הכולל הוא 5,000 ש"ח.

בברכה, דנה
`

const japanese = `# 議事録

来週の会議は火曜日に行います。会議室はAです。

議題は予算です。
`

const arabic = `# تقرير

يبدأ الاجتماع في الساعة العاشرة.

عدد الحاضرين عشرة.
`

const french = `# Contrat de location

Le loyer est de 800 € par mois. Le préavis est de trois mois.

Le locataire paie les charges.
`

/** Commands and documents in other languages and scripts. */
export const languages = inGroup('languages', [
  {
    id: 'german-typo',
    document: german,
    ask: 'korrigiere den Tippfehler im ersten Absatz',
    script: [read, edit('begint', 'beginnt'), '- begint → beginnt'],
    check: becomes(edited(german, ['begint', 'beginnt'])),
  },
  {
    id: 'german-insert',
    document: german,
    ask: 'füge nach dem Kassenbericht den Punkt "Wahlen" ein',
    script: [insertAfter('Kassenbericht', '- Wahlen'), '- Wahlen eingefügt'],
    check: becomes(edited(german, ['- Kassenbericht\n', '- Kassenbericht\n- Wahlen\n'])),
  },
  {
    id: 'german-bold',
    document: german,
    ask: 'mach "3. Mai" fett',
    script: [format('3. Mai', 'bold'), '- fett'],
    check: becomes(edited(german, ['3. Mai', '**3. Mai**'])),
  },
  {
    id: 'german-question',
    document: german,
    ask: 'Wann fängt es an?',
    script: [read, 'Um 18 Uhr.'],
    wrong: [edit('begint', 'beginnt'), 'Um 18 Uhr.'],
    check: answersOnly('18'),
  },
  {
    id: 'german-unclear',
    document: german,
    ask: 'mach das kürzer',
    script: ['Welche Stelle meinst du?'],
    wrong: [edit('herzlich ', ''), 'Welche Stelle noch?'],
    check: asksBack,
  },
  {
    id: 'hebrew-replace',
    document: hebrew,
    ask: 'תחליף את 5,000 ב-6,500',
    script: [edit('5,000', '6,500'), 'החלפתי.'],
    check: becomes(edited(hebrew, ['5,000', '6,500'])),
  },
  {
    id: 'hebrew-insert',
    document: hebrew,
    ask: 'תוסיף בסוף את השורה "ההצעה בתוקף לשבוע."',
    script: [insertAt('end', 'ההצעה בתוקף לשבוע.', { as: 'block' }), 'הוספתי.'],
    check: becomes(`${hebrew}\nההצעה בתוקף לשבוע.\n`),
  },
  {
    id: 'hebrew-comment',
    document: hebrew,
    ask: 'שים הערה על "המחיר הכולל" ששואלת אם זה כולל מע"מ',
    script: [comment('המחיר הכולל', 'האם זה כולל מע"מ?'), 'הוספתי הערה.'],
    wrong: [insertAfter('ש"ח', ' (כולל מע"מ?)'), 'הוספתי הערה.'],
    check: all(untouched, commentCount(1), comments('המחיר הכולל')),
  },
  {
    id: 'japanese-replace',
    document: japanese,
    ask: '火曜日を水曜日に変えてください',
    script: [edit('火曜日', '水曜日'), '変更しました。'],
    check: becomes(edited(japanese, ['火曜日', '水曜日'])),
  },
  {
    id: 'japanese-heading',
    document: japanese,
    ask: '最後の段落の前に「議題」という見出し2を入れて',
    script: [
      read,
      call('insert_text', {
        position: { type: 'relative', anchor: '議題は予算です。', placement: 'before' },
        content: '## 議題',
        as: 'block',
      }),
      '追加しました。',
    ],
    check: becomes(edited(japanese, ['議題は', '## 議題\n\n議題は'])),
  },
  {
    id: 'arabic-replace',
    document: arabic,
    ask: 'غيّر العاشرة إلى الحادية عشرة',
    script: [edit('العاشرة', 'الحادية عشرة'), 'تم التغيير.'],
    check: becomes(edited(arabic, ['العاشرة', 'الحادية عشرة'])),
  },
  {
    id: 'arabic-question',
    document: arabic,
    ask: 'كم عدد الحاضرين؟',
    script: [read, 'عشرة.'],
    wrong: [edit('عشرة.', '10.', { occurrence: 'last' }), 'عشرة.'],
    check: answersOnly(/عشرة|10|١٠/),
  },
  {
    id: 'french-suggest',
    document: french,
    ask: 'propose un loyer de 850 €',
    mode: 'suggest',
    script: [edit('800', '850'), 'Je propose 850 €.'],
    check: suggests(edited(french, ['800', '850'])),
  },
  {
    id: 'translate-paragraph',
    document: french,
    ask: 'translate the last paragraph into English, replace it',
    script: [read, edit('Le locataire paie les charges.', 'The tenant pays the service charges.'), '- translated'],
    check: all(keepsOthers('Le locataire'), holds(/tenant|lessee|renter/i, 'Le loyer est de 800 € par mois.')),
  },
  {
    id: 'spanish-everywhere',
    document: '# Guía\n\nEl coche es rojo. Compré el coche ayer.\n\nLos coches son caros.\n\nFin.\n',
    ask: 'cambia coche por carro en todas partes, también en plural',
    script: [replaceAll('coche', 'carro'), '- coche → carro (3×)'],
    check: becomes('# Guía\n\nEl carro es rojo. Compré el carro ayer.\n\nLos carros son caros.\n\nFin.\n'),
  },
  {
    id: 'turkish-i',
    document: '# Şehirler\n\nIstanbul güzel bir şehir. Izmir de güzel.\n\nAnkara başkent.\n',
    ask: 'Istanbul ve Izmir noktalı İ ile yazılmalı',
    script: [[edit('Istanbul', 'İstanbul'), edit('Izmir', 'İzmir')], 'Düzelttim.'],
    check: becomes('# Şehirler\n\nİstanbul güzel bir şehir. İzmir de güzel.\n\nAnkara başkent.\n'),
  },
])
