import { becomes } from '../checks.ts'
import { club, edited, essay, recipe } from '../documents.ts'
import { type EvalCase, inGroup } from '../eval-case.ts'
import type { PersonEdit } from '../person-edits.ts'
import { call, edit } from '../scripting.ts'

// Before the first call: later the text is what the model has made of it.
const ben = (edit: PersonEdit): NonNullable<EvalCase['concurrentEdits']>[number] => ({ by: 'Ben', call: 0, edit })

/** Someone types, splits, moves or removes in the very paragraph that the agent edits. */
export const people = inGroup('people', [
  {
    id: 'types-in-the-sentence',
    document: club,
    ask: 'we meet on wednesdays now',
    concurrentEdits: [ben({ kind: 'type', after: 'at seven', text: ' sharp' })],
    script: [edit('Tuesday', 'Wednesday'), '- Wednesday'],
    check: becomes(edited(club, ['Tuesday at seven', 'Wednesday at seven sharp'])),
  },
  {
    id: 'types-into-the-phrase',
    document: club,
    ask: 'the room is downstairs, next to the kitchen',
    concurrentEdits: [ben({ kind: 'type', after: 'The room is', text: ' now' })],
    script: [
      edit('The room is upstairs, next to the bar', 'The room is downstairs, next to the kitchen'),
      edit('upstairs, next to the bar', 'downstairs, next to the kitchen'),
      '- downstairs',
    ],
    mistake: { code: 'not_found', hint: /The room is now upstairs/ },
    check: becomes(edited(club, ['is upstairs, next to the bar', 'is now downstairs, next to the kitchen'])),
  },
  {
    id: 'deletes-in-the-sentence',
    document: essay,
    ask: 'say "affordable" instead of cheap',
    concurrentEdits: [ben({ kind: 'delete', text: ', and it is fun' })],
    script: [edit('cheap', 'affordable'), '- affordable'],
    check: becomes(edited(essay, ['cheap', 'affordable'], [', and it is fun', ''])),
  },
  {
    id: 'splits-the-paragraph',
    document: essay,
    ask: 'a bicycle costs 400 euros, a car more than 25,000',
    concurrentEdits: [ben({ kind: 'split', after: 'A bicycle costs about 300 euros.' })],
    script: [[edit('300', '400'), edit('20,000', '25,000')], '- both prices'],
    check: becomes(edited(essay, ['300 euros. A car', '400 euros.\n\n&#x20;A car'], ['20,000', '25,000'])),
  },
  {
    id: 'splits-the-phrase',
    document: club,
    ask: 'upstairs → downstairs, and the bar is a kitchen now',
    concurrentEdits: [ben({ kind: 'split', after: 'The room is upstairs,' })],
    script: [
      edit('upstairs, next to the bar', 'downstairs, next to the kitchen'),
      [edit('upstairs', 'downstairs'), edit('the bar', 'the kitchen')],
      '- changed in both paragraphs',
    ],
    check: becomes(edited(club, ['upstairs, next to the bar', 'downstairs,\n\n&#x20;next to the kitchen'])),
  },
  {
    id: 'moves-the-paragraph',
    document: club,
    ask: 'bring a clock too',
    concurrentEdits: [ben({ kind: 'move', text: 'Bring your own board', before: 'We meet every' })],
    script: [edit('own board', 'own board and clock'), '- and clock'],
    check: becomes(
      edited(club, ['Bring your own board.\n\n', ''], ['We meet', 'Bring your own board and clock.\n\nWe meet']),
    ),
  },
  {
    id: 'removes-the-paragraph',
    document: club,
    ask: 'the room is downstairs',
    concurrentEdits: [ben({ kind: 'remove', text: 'The room is' })],
    script: [edit('upstairs', 'downstairs'), 'The sentence about the room is gone: it was removed a moment ago.'],
    check: becomes(edited(club, ['The room is upstairs, next to the bar.\n\n', ''])),
  },
  {
    id: 'removes-a-block-by-number',
    document: club,
    ask: 'delete the sentence about the room',
    concurrentEdits: [ben({ kind: 'remove', text: 'The room is' })],
    script: [call('delete_blocks', { block: 2 }), 'It is gone already.'],
    check: becomes(edited(club, ['The room is upstairs, next to the bar.\n\n', ''])),
  },
  {
    id: 'types-before-two-calls',
    document: club,
    ask: 'members 25, guests 3',
    concurrentEdits: [ben({ kind: 'type', after: 'Guests pay 2 euros', text: ' (children nothing)' })],
    script: [[edit('20 euros', '25 euros'), edit('2 euros', '3 euros')], '- both'],
    check: becomes(edited(club, ['20 euros', '25 euros'], ['2 euros an', '3 euros (children nothing) an'])),
  },
  {
    id: 'types-into-an-item-that-is-indented',
    document: recipe,
    ask: 'onions as a sub-item of the pumpkin',
    concurrentEdits: [ben({ kind: 'type', after: '2 onions', text: ', red' })],
    script: [edit('- 2 onions', '  - 2 onions', { block: 4 }), '- indented'],
    check: becomes(edited(recipe, ['- 2 onions', '  - 2 onions, red'])),
  },
  {
    id: 'was-faster',
    document: club,
    ask: 'it is 25 euros now',
    concurrentEdits: [
      ben({ kind: 'delete', text: '20 euros a year' }),
      ben({ kind: 'type', after: 'Members pay ', text: '25 euros a year' }),
    ],
    script: [edit('20 euros', '25 euros'), 'Another user made that change a moment ago.'],
    check: becomes(edited(club, ['20 euros', '25 euros'])),
  },
])
