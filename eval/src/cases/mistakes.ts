import { becomes } from '../checks.ts'
import { club, contract, edited, physics, prices, recipe, report } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, format, insertAfter, read, section } from '../scripting.ts'

const bring =
  '# Things to bring\n\nMilk, bread, eggs\n\nMind the rules, and see the [map](https://example.com/map).\n\n## Our rules\n\nBe on time.\n'
const soupList = '- 1 kg pumpkin\n- 2 onions\n- 1 l vegetable stock\n- salt and pepper'

/**
 * The mistakes that models have made with these tools. What was meant is accepted; what can't be is refused with a hint
 * that leads to success in the next call.
 */
export const mistakes = inGroup('mistakes', [
  {
    id: 'misread-phrase',
    document: report,
    ask: 'recieved is misspelt',
    script: [edit('The team has recieved teh', 'The team received teh'), edit('recieved', 'received'), '- corrected'],
    mistake: { code: 'not_found', hint: /Did you mean "The team recieved teh/ },
    check: becomes(edited(report, ['recieved', 'received'])),
  },
  {
    id: 'misread-row',
    document: prices,
    ask: 'coffee costs 4',
    script: [
      edit('| Coffee | 3 | 50 |', '| Coffee | 4 | 5 |'),
      edit('| Coffee | 3 | 5 |', '| Coffee | 4 | 5 |'),
      '- Coffee: 4',
    ],
    mistake: { code: 'not_found', hint: /Did you mean "\| Coffee \| 3 \| 5 \|"/ },
    check: becomes(edited(prices, ['| Coffee | 3 | 5 |', '| Coffee | 4 | 5 |'])),
  },
  {
    id: 'list-in-place',
    document: bring,
    ask: 'make the things a list',
    script: [edit('Milk, bread, eggs', '- Milk\n- Bread\n- Eggs'), '- a list of three'],
    mistake: 'accepted',
    check: becomes(edited(bring, ['Milk, bread, eggs', '- Milk\n- Bread\n- Eggs'])),
  },
  {
    id: 'link-to-no-heading',
    document: bring,
    ask: 'link "the rules" to their section',
    script: [
      format('the rules', 'link', { href: '#rules' }),
      format('the rules', 'link', { href: '#our-rules' }),
      '- linked to Our rules',
    ],
    mistake: { code: 'not_found', hint: /#things-to-bring, #our-rules/ },
    check: becomes(edited(bring, ['the rules', '[the rules](#our-rules)'])),
  },
  {
    id: 'link-to-another-address',
    document: bring,
    ask: 'the map moved to maps.example',
    script: [
      edit('[map](https://example.com/m)', '[map](https://maps.example)'),
      edit('[map](https://example.com/map)', '[map](https://maps.example)'),
      '- the map is at maps.example',
    ],
    mistake: { code: 'not_found', hint: /"map" is a link to https:\/\/example\.com\/map in block/ },
    check: becomes(edited(bring, ['https://example.com/map', 'https://maps.example'])),
  },
  {
    id: 'names-of-another-editor',
    document: club,
    ask: 'we meet at eight now',
    script: [
      call('edit_document', { old_string: 'at seven', new_string: 'at eight' }),
      edit('at seven', 'at eight'),
      '- at eight',
    ],
    mistake: { code: 'invalid_input', hint: /old_string: did you mean find\?[^]*new_string: did you mean replace\?/ },
    check: becomes(edited(club, ['at seven', 'at eight'])),
  },
  {
    id: 'unknown-argument',
    document: club,
    ask: 'it is 25 euros now',
    script: [edit('20 euros', '25 euros', { blok: 5 }), edit('20 euros', '25 euros'), '- 25 euros'],
    mistake: { code: 'invalid_input', hint: /blok: did you mean block\?/ },
    check: becomes(edited(club, ['20 euros', '25 euros'])),
  },
  {
    id: 'several-places',
    document: club,
    ask: 'the first "euros" should be "EUR"',
    script: [edit('euros', 'EUR'), edit('euros', 'EUR', { occurrence: 1 }), '- EUR'],
    mistake: { code: 'ambiguous', hint: /occurrence \(1 to 2/ },
    check: becomes(edited(club, ['20 euros', '20 EUR'])),
  },
  {
    id: 'too-many-cells',
    document: prices,
    ask: 'tea: 3',
    script: [edit('| Tea | 2 | 10 |', '| Tea | 3 |'), edit('| Tea | 2 | 10 |', '| Tea | 3 | 10 |'), '- Tea: 3'],
    mistake: { code: 'invalid_operation', hint: /one line with 3 cells/ },
    check: becomes(edited(prices, ['| Tea | 2 |', '| Tea | 3 |'])),
  },
  {
    id: 'first-item-indented',
    document: recipe,
    ask: 'make the onions a sub-item of the pumpkin',
    script: [
      edit('- 1 kg pumpkin', '  - 1 kg pumpkin'),
      edit('- 2 onions', '  - 2 onions'),
      '- onions are below the pumpkin',
    ],
    mistake: { code: 'invalid_operation', hint: /Indent it under an item/ },
    check: becomes(edited(recipe, ['- 2 onions', '  - 2 onions'])),
  },
  {
    id: 'indented-in-text',
    document: recipe,
    ask: 'make the onions a sub-item of the pumpkin',
    script: [edit('- 2 onions', '  - 2 onions'), '- onions are below the pumpkin'],
    mistake: 'accepted',
    check: becomes(edited(recipe, ['- 2 onions', '  - 2 onions'])),
  },
  {
    id: 'list-renumbered-in-text',
    document: recipe,
    ask: 'number the ingredients',
    script: [edit(soupList, '1. 1 kg pumpkin\n2. 2 onions\n3. 1 l vegetable stock\n4. salt and pepper'), '- numbered'],
    mistake: 'accepted',
    check: becomes(
      edited(recipe, [soupList, '1. 1 kg pumpkin\n2. 2 onions\n3. 1 l vegetable stock\n4. salt and pepper']),
    ),
  },
  {
    id: 'tasks-in-two-lines',
    document: '# Move\n\n- [ ] call the landlord\n- [ ] pack the books\n',
    ask: 'both are done',
    script: [
      edit('- [ ] call the landlord\n- [ ] pack the books', '- [x] call the landlord\n- [x] pack the books'),
      '- ticked',
    ],
    mistake: 'accepted',
    check: becomes('# Move\n\n- [x] call the landlord\n- [x] pack the books\n'),
  },
  {
    id: 'escape-as-in-a-file',
    document: contract,
    ask: 'fees: $4,500',
    script: [edit('\\$4,000', '\\$4,500'), '- $4,500'],
    mistake: 'accepted',
    check: becomes(edited(contract, ['$4,000', '$4,500'])),
  },
  {
    id: 'number-in-a-heading',
    document: contract,
    ask: 'Term is number 3, not 4',
    script: [edit('4. Term', '3. Term'), '- 3. Term'],
    mistake: 'accepted',
    check: becomes(edited(contract, ['## 4. Term', '## 3. Term'])),
  },
  {
    id: 'link-as-in-a-file',
    document: physics,
    ask: 'the rules moved to https://lab.example/new',
    script: [edit('[rules](https://lab.example/old)', '[rules](https://lab.example/new)'), '- new address'],
    mistake: 'accepted',
    check: becomes(edited(physics, ['https://lab.example/old', 'https://lab.example/new'])),
  },
  {
    id: 'html-instead-of-markdown',
    document: club,
    ask: 'add "Tea is free." after the board sentence',
    script: [insertAfter('Bring your own board.', '<p>Tea is free.</p>'), '- added'],
    mistake: 'accepted',
    check: becomes(edited(club, ['Bring your own board.', 'Bring your own board.\n\nTea is free.'])),
  },
  {
    id: 'title-in-html',
    document: recipe,
    ask: 'call the notes "Tips"',
    script: [
      section('replace', { sectionIndex: 3, title: '<h2>Tips</h2>', content: 'Tastes even better the next day.' }),
      '- Tips',
    ],
    mistake: 'accepted',
    check: becomes(edited(recipe, ['## Notes', '## Tips'])),
  },
  {
    id: 'name-of-an-earlier-tool',
    document: club,
    ask: 'add "Tea is free." after the board sentence',
    script: [
      call('insertText', {
        position: { type: 'relative', anchor: 'Bring your own board.', placement: 'after' },
        content: 'Tea is free.',
      }),
      '- added',
    ],
    mistake: 'accepted',
    check: becomes(edited(club, ['Bring your own board.', 'Bring your own board.\n\nTea is free.'])),
  },
  {
    id: 'number-from-the-outline',
    document: recipe,
    ask: 'rename the section Method to "How"',
    script: [edit('Method', 'How', { block: 7 }), '- How'],
    mistake: 'accepted',
    check: becomes(edited(recipe, ['## Method', '## How'])),
  },
  {
    id: 'numbers-of-text-blocks-only',
    document: club,
    ask: 'delete the last block',
    script: [call('delete_blocks', { block: 80 }), read, call('delete_blocks', { block: 8 }), '- deleted'],
    check: becomes(edited(club, ['\n\nWrite to chess@club.example.', ''])),
  },
])
