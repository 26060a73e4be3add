import { all, becomes, commentCount, comments, that } from '../checks.ts'
import { club, edited, minutes, prices } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, capture, comment, edit, format, formatBlocks, insertAfter, insertAt } from '../scripting.ts'

const club2 = edited(club, ['Bring your own board.\n\n', ''], ['Write to chess@club.example.\n', ''])

/** Several calls in one answer; the number of a block stays its name whatever the calls before it did. */
export const numbers = inGroup('numbers', [
  {
    id: 'two-paragraphs',
    document: club,
    ask: 'delete the third paragraph of the intro and the last one of the whole text',
    script: [[call('delete_blocks', { block: 3 }), call('delete_blocks', { block: 8 })], '- 2 paragraphs removed'],
    check: becomes(`${club2.trimEnd()}\n`),
  },
  {
    id: 'above-then-below',
    document: club,
    ask: 'put "Draft, do not share" on top, and make the paragraph about the room a quote',
    script: [
      [insertAt('start', 'Draft, do not share', { as: 'block' }), formatBlocks(2, 2, 'blockquote')],
      '- added a line\n- quote',
    ],
    check: becomes(`Draft, do not share\n\n${edited(club, ['The room is', '> The room is'])}`),
  },
  {
    id: 'new-item-bold',
    document: minutes,
    ask: 'add the decision "Close the office in August" and make that new point bold',
    script: [
      insertAfter('Hire a second designer', '- Close the office in August'),
      (results) => {
        const made = Number(capture(results, /\[(\d+)\], new/))
        return formatBlocks(made, made, 'bold')
      },
      '- added, bold',
    ],
    check: becomes(
      edited(minutes, ['Hire a second designer\n', 'Hire a second designer\n- **Close the office in August**\n']),
    ),
  },
  {
    id: 'three-kinds',
    document: club,
    ask: 'Tuesday becomes Wednesday, "20 euros" in bold, and leave a note on the e-mail address: does it still work?',
    script: [
      [
        edit('Tuesday', 'Wednesday'),
        format('20 euros', 'bold'),
        comment('chess@club.example', 'Does this address still work?'),
      ],
      '- Tuesday → Wednesday\n- 20 euros is bold\n- one comment',
    ],
    check: all(
      becomes(edited(club, ['Tuesday', 'Wednesday'], ['20 euros', '**20 euros**'])),
      commentCount(1),
      comments('chess@club.example'),
    ),
  },
  {
    id: 'move-then-edit',
    document: club,
    ask: 'move the line about guests above the one about members, and then make it 3 euros',
    script: [
      [call('move_blocks', { block: 6, before: 5 }), edit('2 euros', '3 euros', { block: 6 })],
      '- moved\n- 2 → 3 euros',
    ],
    check: becomes(
      edited(
        club,
        ['Guests pay 2 euros an evening.\n\n', ''],
        ['Members pay', 'Guests pay 3 euros an evening.\n\nMembers pay'],
      ),
    ),
  },
  {
    id: 'rows',
    document: prices,
    ask: 'tea is gone from the menu, coffee is 3.20 and cocoa 4.50',
    script: [
      [
        call('delete_blocks', { block: 2 }),
        call('edit_table', { block: 3, operation: 'set_cell', column: 'Price', cells: ['3.20'] }),
        call('edit_table', { block: 4, operation: 'set_cell', column: 'Price', cells: ['4.50'] }),
      ],
      '- removed Tea, two new prices',
    ],
    check: becomes(
      edited(
        prices,
        ['| Tea | 2 | 10 |\n', ''],
        ['| Coffee | 3 |', '| Coffee | 3.20 |'],
        ['Cocoa | 4 |', 'Cocoa | 4.50 |'],
      ),
    ),
  },
  {
    id: 'same-block-twice',
    document: club,
    ask: 'paragraph about the room: say "downstairs" instead of upstairs, drop the bar, then italics for the whole line',
    script: [
      [
        edit('upstairs', 'downstairs', { block: 2 }),
        edit(', next to the bar', '', { block: 2 }),
        formatBlocks(2, 2, 'italic'),
      ],
      '- reworded, italic',
    ],
    check: becomes(edited(club, ['The room is upstairs, next to the bar.', '*The room is downstairs.*'])),
  },
  {
    id: 'list-order',
    document: minutes,
    ask: 'reverse the order of the three action items',
    script: [
      [call('move_blocks', { block: 9, before: 7 }), call('move_blocks', { block: 8, before: 7 })],
      '- reversed',
    ],
    check: becomes(
      edited(minutes, [
        '1. Ben writes the release notes\n2. Ana books the room\n3. Chloé calls the printer',
        '1. Chloé calls the printer\n2. Ana books the room\n3. Ben writes the release notes',
      ]),
    ),
  },
  {
    id: 'between-two-reads',
    document: club,
    ask: 'first delete the headings, then tell me how many paragraphs are left',
    script: [
      [call('delete_blocks', { block: 4 }), call('delete_blocks', { block: 7 })],
      call('read_document'),
      'Six paragraphs and the title.',
    ],
    check: all(
      becomes(edited(club, ['## Fees\n\n', ''], ['## Contact\n\n', ''])),
      that('the answer is not six', ({ answer }) => /\b(?:6|six)\b/i.test(answer)),
    ),
  },
])
