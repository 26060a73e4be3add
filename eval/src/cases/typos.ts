import { becomes, suggests } from '../checks.ts'
import { edited, report, variants } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { edit, read, replaceAll } from '../scripting.ts'

const corrected = variants(
  edited(
    report,
    ['recieved teh', 'received the'],
    ['Teh', 'The'],
    ['wich', 'which'],
    ['previus', 'previous'],
    ['The the', 'The'],
    ['similiar', 'similar'],
  ),
  { 'there maintenance': ['their maintenance', 'the maintenance', 'there maintenance'] },
)

const corrections = [
  edit('recieved teh', 'received the'),
  edit('Teh', 'The'),
  edit('wich', 'which'),
  edit('previus', 'previous'),
  edit('The the', 'The'),
  edit('similiar', 'similar'),
  edit('there maintenance', 'their maintenance'),
]

const spelling = `# Style

The color of the logo is blue. Two colors are enough.

\`\`\`css
.logo { color: blue }
\`\`\`
`

const letter = `Dear Mr Mueller,

thank you for your order. Mr Mueller's address is on file.

Its a pleasure to work with you. The firm keeps its word.
`

/** Misspellings, one by one and all at once. */
export const typos = inGroup('typos', [
  {
    id: 'teh',
    document: report,
    ask: 'fix the typo teh',
    script: [read, [edit('teh', 'the'), edit('Teh', 'The')], '- teh → the (2×)'],
    check: becomes(edited(report, ['teh', 'the'], ['Teh', 'The'])),
  },
  {
    id: 'all',
    document: report,
    ask: 'please fix all typos',
    script: [read, corrections, '- 7 typos fixed'],
    check: becomes(...corrected),
  },
  {
    id: 'all-suggested',
    document: report,
    ask: 'correct the spelling mistakes',
    mode: 'suggest',
    script: [read, corrections, 'I suggested 7 corrections.'],
    check: suggests(...corrected),
  },
  {
    id: 'recieved',
    document: report,
    ask: 'recieved is spelled wrong',
    script: [edit('recieved', 'received'), '- recieved → received'],
    check: becomes(edited(report, ['recieved', 'received'])),
  },
  {
    id: 'arrow',
    document: report,
    ask: 'previus -> previous',
    script: [edit('previus', 'previous'), '- previus → previous'],
    check: becomes(edited(report, ['previus', 'previous'])),
  },
  {
    id: 'doubled-word',
    document: report,
    ask: "there's a doubled word in the sales section, can you remove it?",
    script: [read, edit('The the', 'The'), '- The the → The'],
    check: becomes(edited(report, ['The the', 'The'])),
  },
  {
    id: 'their-there',
    document: report,
    ask: 'in the last paragraph it should be "their", not "there"',
    script: [edit('there', 'their'), '- there → their'],
    check: becomes(edited(report, ['there', 'their'])),
  },
  {
    id: 'selected',
    document: report,
    selection: 'similiar',
    ask: 'fix the spelling of this',
    script: [edit('similiar', 'similar'), '- similiar → similar'],
    check: becomes(edited(report, ['similiar', 'similar'])),
  },
  {
    id: 'only-one-section',
    document: report,
    ask: 'correct the typos in Sales, leave the rest for now',
    script: [read, [edit('previus', 'previous'), edit('The the', 'The')], '- 2 typos fixed in Sales'],
    check: becomes(edited(report, ['previus', 'previous'], ['The the', 'The'])),
  },
  {
    id: 'british',
    document: spelling,
    ask: 'we write British English: colour, not color. Leave the code alone though',
    script: [
      read,
      [edit('color', 'colour', { block: 1, occurrence: 1 }), edit('colors', 'colours')],
      '- color → colour (2×)',
    ],
    check: becomes(edited(spelling, ['The color', 'The colour'], ['Two colors', 'Two colours'])),
  },
  {
    id: 'umlaut',
    document: letter,
    ask: "it's Müller, not Mueller",
    script: [replaceAll('Mueller', 'Müller'), '- Mueller → Müller (2×)'],
    check: becomes(edited(letter, ['Mueller', 'Müller'], ['Mueller', 'Müller'])),
  },
  {
    id: 'its',
    document: letter,
    ask: "fix its/it's where it is wrong",
    script: [read, edit('Its a', "It's a"), "- Its → It's"],
    check: becomes(edited(letter, ['Its a', "It's a"]), edited(letter, ['Its a', 'It’s a'])),
  },
  {
    id: 'lower-case',
    document: 'we met in berlin on monday.\n\nThe next meeting is in Hamburg.\n',
    ask: 'capitalization in the first line is off',
    script: [read, edit('we met in berlin on monday', 'We met in Berlin on Monday'), '- capitals'],
    check: becomes('We met in Berlin on Monday.\n\nThe next meeting is in Hamburg.\n'),
  },
])
