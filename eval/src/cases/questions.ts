import { answersOnly } from '../checks.ts'
import { contract, essay, minutes, readme, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, insertAt, read } from '../scripting.ts'

/** Questions that need an answer and no edit. */
export const questions = inGroup('questions', [
  {
    id: 'fee',
    document: contract,
    ask: 'how much does the customer pay per month?',
    script: [read, '$4,000 a month.'],
    wrong: [edit('$4,000', '**$4,000**'), '$4,000 a month.'],
    check: answersOnly('4,000'),
  },
  {
    id: 'how-many-items',
    document: minutes,
    ask: 'how many decisions did we take?',
    script: [read, 'Three.'],
    wrong: [insertAt('end', 'Three decisions.'), 'Three.'],
    check: answersOnly(/\b(?:3|three)\b/i),
  },
  {
    id: 'summary',
    document: essay,
    ask: 'whats this about? one sentence',
    script: [read, 'It argues for cycling: cheap, healthy, and possible in any weather.'],
    wrong: [insertAt('start', 'It argues for cycling.'), 'It argues for cycling.'],
    check: answersOnly(/cycl|bik/i),
  },
  {
    id: 'who',
    document: minutes,
    ask: 'who has to book the room?',
    script: [read, 'Ana.'],
    wrong: [edit('Ana books', '@Ana books'), 'Ana.'],
    check: answersOnly('Ana'),
  },
  {
    id: 'not-there',
    document: recipe,
    ask: 'does the recipe say how many people it serves?',
    script: [read, 'No, it does not say.'],
    wrong: [insertAt('end', 'Serves four.'), 'No, it did not say; I added it.'],
    check: answersOnly(/\bno\b|\bnot\b|n['’]t\b/i),
  },
  {
    id: 'word-count',
    document: recipe,
    ask: 'how many words are there?',
    script: [
      call('get_document_info'),
      (results) => `${/[Ww]ords: (\d+)/.exec(results.join('\n'))?.[1] ?? '?'} words.`,
    ],
    wrong: [insertAt('end', '59 words'), '59 words.'],
    check: answersOnly(/\b(?:5\d|6\d)\b/),
  },
  {
    id: 'occurrences',
    document: contract,
    ask: 'how often is the word Supplier used?',
    script: [call('search_document', { query: 'Supplier' }), '4 times.'],
    wrong: [call('replace_text', { searchText: 'Supplier', newText: '**Supplier**' }), '4 times.'],
    check: answersOnly(/\b(?:4|four)\b/i),
  },
  {
    id: 'headings',
    document: essay,
    ask: 'list the section headings',
    script: ['- Cost\n- Health\n- Weather'],
    wrong: [insertAt('end', '- Cost\n- Health\n- Weather'), '- Cost\n- Health\n- Weather'],
    check: answersOnly('Cost', 'Health', 'Weather'),
  },
  {
    id: 'default-port',
    document: readme,
    ask: 'which port does it use by default?',
    script: [read, '8080.'],
    wrong: [edit('8080', '8081'), '8080.'],
    check: answersOnly('8080'),
  },
  {
    id: 'opinion',
    document: essay,
    selection: 'A bicycle costs about 300 euros.',
    ask: 'do you think this is clear? dont change anything',
    script: ['Yes, it is clear.'],
    wrong: [edit('about 300 euros', 'roughly 300 euros'), 'It is clear now.'],
    check: answersOnly(/clear|yes|no\b|vague|precise|understand/i),
  },
  {
    id: 'arithmetic',
    document: contract,
    ask: 'What is the fee for a whole year?',
    script: [read, '12 × $4,000 = $48,000.'],
    wrong: [edit('$4,000 a month', '$48,000 a year'), '$48,000.'],
    check: answersOnly(/48[,. ]?000|48k/i),
  },
  {
    id: 'thanks',
    document: minutes,
    ask: 'thanks, looks great!',
    script: ['You’re welcome.'],
    wrong: [insertAt('end', 'You’re welcome.'), 'You’re welcome.'],
    check: answersOnly(/\w{2}/),
  },
])
