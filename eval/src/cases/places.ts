import { all, becomes, comments, commentCount, untouched } from '../checks.ts'
import { club, contract, edited, essay, prices, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, comment, edit, insertBefore, replaceAll, insertAt } from '../scripting.ts'

const asked = (ask: string): string => edited(club, ['## Contact', `${ask}\n\n## Contact`])
const selected = (tool: string, input: Record<string, unknown> = {}) => call(tool, { selection: true, ...input })
const formatSelected = (type: string, more: Record<string, unknown> = {}) =>
  call('apply_formatting', { target: { type: 'selection' }, format: { type, ...more } })

const below = '@agent add the sentence "Students pay half." right here below'
const above = '@agent put a horizontal line above this line'
const german = '@agent schreib hier drunter: "Kinder zahlen nichts."'
const both = '@agent both amounts above go up by one euro'

/** Where the person is: a mention in the text, a comment, a caret, a selection over several blocks. */
export const places = inGroup('places', [
  {
    id: 'here-below',
    document: asked(below),
    calledFrom: { kind: 'mention', text: 'Students pay half' },
    ask: 'add the sentence "Students pay half." right here below',
    script: [
      call('insert_text', { position: { type: 'block', block: 7, placement: 'after' }, content: 'Students pay half.' }),
      '- added',
    ],
    check: becomes(edited(asked(below), [`${below}\n`, `${below}\n\nStudents pay half.\n`])),
  },
  {
    id: 'above-this-line',
    document: asked(above),
    calledFrom: { kind: 'mention', text: 'above this line' },
    ask: 'put a horizontal line above this line',
    script: [
      call('insert_text', { position: { type: 'block', block: 7, placement: 'before' }, content: '---' }),
      '- added a line',
    ],
    check: becomes(edited(asked(above), [above, `---\n\n${above}`])),
  },
  {
    id: 'german-mention',
    document: asked(german),
    calledFrom: { kind: 'mention', text: 'Kinder zahlen' },
    ask: 'schreib hier drunter: "Kinder zahlen nichts."',
    script: [
      call('insert_text', {
        position: { type: 'block', block: 7, placement: 'after' },
        content: 'Kinder zahlen nichts.',
      }),
      '- eingefügt',
    ],
    check: becomes(edited(asked(german), [`${german}\n`, `${german}\n\nKinder zahlen nichts.\n`])),
  },
  {
    id: 'both-above',
    document: asked(both),
    calledFrom: { kind: 'mention', text: 'both amounts above' },
    ask: 'both amounts above go up by one euro',
    script: [[edit('20 euros', '21 euros'), edit('2 euros', '3 euros', { block: 6 })], '- 21 and 3 euros'],
    check: becomes(edited(asked(both), ['20 euros', '21 euros'], ['2 euros', '3 euros'])),
  },
  {
    id: 'comment-this',
    document: essay,
    review: [{ by: 'Ada', ...comment('about 300 euros', '@agent make this 350') }],
    calledFrom: { kind: 'comment', text: 'about 300 euros' },
    selection: 'about 300 euros',
    ask: 'make this 350',
    script: [selected('edit_document', { find: '300', replace: '350' }), '- 300 → 350'],
    check: becomes(edited(essay, ['about 300', 'about 350'])),
  },
  {
    id: 'comment-delete-this',
    document: recipe,
    review: [{ by: 'Ada', ...comment('Tastes even better the next day.', '@agent weg damit') }],
    calledFrom: { kind: 'comment', text: 'Tastes even better' },
    selection: 'Tastes even better the next day.',
    ask: 'weg damit',
    script: [selected('edit_document', { replace: '' }), '- gelöscht'],
    check: becomes(edited(recipe, ['\nTastes even better the next day.\n', ''])),
  },
  {
    id: 'quote-these',
    document: club,
    selection: { from: 'We meet', to: 'upstairs' },
    ask: 'put these two paragraphs into a quote',
    script: [formatSelected('blockquote'), '- quote'],
    check: becomes(
      edited(club, ['We meet every Tuesday at seven.\n\nThe room', '> We meet every Tuesday at seven.\n>\n> The room']),
    ),
  },
  {
    id: 'replace-in-selection',
    document: contract,
    selection: { from: 'Supplier delivers', to: 'Customer pays' },
    ask: 'in what I marked, say "Northwind" instead of Supplier and "Contoso" instead of Customer',
    script: [
      selected('replace_text', {
        pairs: [
          { find: 'Supplier', replace: 'Northwind' },
          { find: 'Customer', replace: 'Contoso' },
        ],
      }),
      '- 2 names',
    ],
    check: becomes(edited(contract, ['Supplier delivers', 'Northwind delivers'], ['Customer pays', 'Contoso pays'])),
  },
  {
    id: 'comment-over-blocks',
    document: recipe,
    selection: { from: 'Chop the onions', to: 'until it is smooth.' },
    ask: 'remark here: which pot do we use?',
    script: [selected('add_comment', { text: 'Which pot do we use?' }), 'Commented.'],
    wrong: [insertAt('end', 'Which pot do we use?'), 'Commented.'],
    check: all(untouched, commentCount(1), comments('Chop the onions and fry')),
  },
  {
    id: 'delete-selected',
    document: club,
    selection: { from: 'The room is', to: 'Bring your own board.' },
    ask: 'delete all this please',
    script: [selected('edit_document', { replace: '' }), '- deleted'],
    check: becomes(edited(club, ['The room is upstairs, next to the bar.\n\nBring your own board.\n\n', ''])),
  },
  {
    id: 'move-selected-up',
    document: club,
    selection: 'Bring your own board.',
    ask: 'move this to the very beginning of the text, right after the title',
    script: [call('move_blocks', { block: 3, after: 0 }), '- moved'],
    check: becomes(edited(club, ['Bring your own board.\n\n', ''], ['We meet', 'Bring your own board.\n\nWe meet'])),
  },
  {
    id: 'row-of-the-caret',
    document: prices,
    caret: 'Coffee',
    ask: 'kill this row',
    script: [call('delete_blocks', { block: 3 }), '- row deleted'],
    check: becomes(edited(prices, ['| Coffee | 3 | 5 |\n', ''])),
  },
  {
    id: 'new-paragraph-at-caret',
    document: club,
    caret: 'Members pay 20 euros a year.',
    ask: 'nouveau paragraphe juste ici : « Les étudiants paient la moitié. »',
    script: [
      call('insert_text', { position: { type: 'selection' }, content: 'Les étudiants paient la moitié.', as: 'block' }),
      '- ajouté',
    ],
    check: becomes(edited(club, ['a year.\n', 'a year.\n\nLes étudiants paient la moitié.\n'])),
  },
  {
    id: 'around-selection',
    document: club,
    selection: 'Bring your own board.',
    ask: 'put a heading 2 called "Equipment" above this',
    script: [insertBefore('Bring your own board.', '## Equipment', { as: 'block' }), '- heading'],
    check: becomes(edited(club, ['Bring your', '## Equipment\n\nBring your'])),
  },
  {
    id: 'only-this-one',
    document: contract,
    selection: 'Supplier delivers',
    ask: 'only here: Vendor instead of Supplier',
    script: [selected('replace_text', { find: 'Supplier', replace: 'Vendor' }), '- Supplier → Vendor'],
    wrong: [replaceAll('Supplier', 'Vendor'), '- everywhere'],
    check: becomes(edited(contract, ['Supplier delivers', 'Vendor delivers'])),
  },
])
