import { all, changeCount, holds, keepsOthers, suggests, that } from '../checks.ts'
import { contract, edited, essay, minutes, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, format, insertAfter, read, replaceAll, section } from '../scripting.ts'

/** Tracked changes: asked for in words, or because the document is in suggesting mode. */
export const suggest = inGroup('suggest', [
  {
    id: 'in-words',
    document: contract,
    ask: 'suggest 14 days instead of 30 days',
    script: [call('suggest_replacement', { search: '30 days', replaceWith: '14 days' }), 'Suggested 14 days.'],
    check: all(suggests(edited(contract, ['30 days', '14 days'])), changeCount(1)),
  },
  {
    id: 'deletion',
    document: contract,
    ask: 'propose deleting the sentence about intentional damage, as a tracked change',
    script: [
      read,
      call('suggest_deletion', {
        search: 'Supplier is not liable for any damage whatsoever, including damage caused intentionally.',
      }),
      'Suggested.',
    ],
    check: suggests(
      edited(contract, [
        'Supplier is not liable for any damage whatsoever, including damage caused intentionally.\n\n',
        '',
      ]),
    ),
  },
  {
    id: 'insertion',
    document: recipe,
    ask: 'suggest adding "- 1 apple" after the onions',
    script: [read, call('suggest_insertion', { block: 4, text: '- 1 apple' }), 'Suggested.'],
    check: suggests(edited(recipe, ['- 2 onions\n', '- 2 onions\n- 1 apple\n'])),
  },
  {
    id: 'selection',
    document: essay,
    selection: 'very, very healthy',
    ask: 'suggest "healthy" for this',
    script: [call('suggest_replacement', { selection: true, replaceWith: 'healthy' }), 'Suggested.'],
    check: suggests(edited(essay, ['very, very healthy', 'healthy'])),
  },
  {
    id: 'mode-edit',
    document: minutes,
    mode: 'suggest',
    ask: 'change Friday to Thursday',
    script: [edit('Friday', 'Thursday'), 'Suggested Thursday.'],
    check: all(suggests(edited(minutes, ['Friday', 'Thursday'])), changeCount(1)),
  },
  {
    id: 'mode-everywhere',
    document: contract,
    mode: 'suggest',
    ask: 'Supplier should be Provider everywhere',
    script: [replaceAll('Supplier', 'Provider'), 'Suggested 4 replacements.'],
    check: suggests(contract.replaceAll('Supplier', 'Provider')),
  },
  {
    id: 'mode-format',
    document: essay,
    mode: 'suggest',
    ask: 'bold "300 euros"',
    script: [format('300 euros', 'bold'), 'Suggested.'],
    check: suggests(edited(essay, ['300 euros', '**300 euros**'])),
  },
  {
    id: 'mode-heading',
    document: minutes,
    mode: 'suggest',
    ask: 'make Open questions a heading 3',
    script: [format('Open questions', 'heading', { level: 3 }), 'Suggested.'],
    check: suggests(edited(minutes, ['## Open questions', '### Open questions'])),
  },
  {
    id: 'mode-section',
    document: essay,
    mode: 'suggest',
    ask: 'delete the weather section',
    script: [call('get_document'), section('delete', { sectionIndex: 3 }), 'Suggested.'],
    check: suggests(edited(essay, [`\n${essay.slice(essay.indexOf('## Weather'))}`, ''])),
  },
  {
    id: 'mode-new-paragraph',
    document: recipe,
    mode: 'suggest',
    ask: 'write a short paragraph about storage under Notes',
    script: [
      read,
      insertAfter('the next day.', '\n\nIt keeps for three days in the fridge.', { as: 'block' }),
      'Suggested a paragraph.',
    ],
    check: all(
      keepsOthers('Tastes even better'),
      holds('Tastes even better the next day.', /fridge|freez|store|storage|keep/i),
      that('the text changed outright', ({ before, after }) => before.markdown === after.markdown),
    ),
  },
  {
    id: 'on-top-of-another',
    document: contract,
    review: [{ by: 'Ben', ...call('suggest_replacement', { search: '$4,000', replaceWith: '$4,200' }) }],
    mode: 'suggest',
    ask: 'also make the 30 days 21 days',
    script: [edit('30 days', '21 days'), 'Suggested.'],
    check: all(suggests(edited(contract, ['$4,000', '$4,200'], ['30 days', '21 days'])), changeCount(2)),
  },
])
