import { all, becomes, that, untouched } from '../checks.ts'
import { club, edited, physics, prices, readme } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit } from '../scripting.ts'

const table = (operation: string, input: Record<string, unknown>) =>
  call('edit_table', { block: 2, operation, ...input })
const rows = '| Tea | 2 | 10 |\n| Coffee | 3 | 5 |\n| Cocoa | 4 | 0 |'
const head = '| Item | Price | Stock |\n| --- | --- | --- |'

/** Rows and columns of tables, formulas, languages of code, colours and plans. */
export const structure = inGroup('structure', [
  {
    id: 'row-in-the-middle',
    document: prices,
    ask: 'add Juice after Tea, 5 euros, 7 in stock',
    script: [table('insert_row', { cells: ['Juice', '5', '7'] }), '- Juice'],
    check: becomes(edited(prices, ['| Tea | 2 | 10 |', '| Tea | 2 | 10 |\n| Juice | 5 | 7 |'])),
  },
  {
    id: 'row-away',
    document: prices,
    ask: 'no more cocoa',
    script: [table('delete_row', { row: 3 }), '- Cocoa removed'],
    check: becomes(edited(prices, ['\n| Cocoa | 4 | 0 |', ''])),
  },
  {
    id: 'row-up',
    document: prices,
    ask: 'Kakao soll ganz oben stehen',
    script: [table('move_row', { row: 3, to: 1 }), '- Kakao steht oben'],
    check: becomes(edited(prices, [rows, '| Cocoa | 4 | 0 |\n| Tea | 2 | 10 |\n| Coffee | 3 | 5 |'])),
  },
  {
    id: 'column-away',
    document: prices,
    ask: 'drop the stock column',
    script: [table('delete_column', { column: 'Stock' }), '- Stock removed'],
    check: becomes(
      edited(prices, [
        `${head}\n${rows}`,
        '| Item | Price |\n| --- | --- |\n| Tea | 2 |\n| Coffee | 3 |\n| Cocoa | 4 |',
      ]),
    ),
  },
  {
    id: 'column-moved',
    document: prices,
    ask: 'stock before price please',
    script: [table('move_column', { column: 'Stock', to: 1 }), '- moved'],
    check: becomes(
      edited(
        prices,
        [head, '| Item | Stock | Price |\n| --- | --- | --- |'],
        [rows, '| Tea | 10 | 2 |\n| Coffee | 5 | 3 |\n| Cocoa | 0 | 4 |'],
      ),
    ),
  },
  {
    id: 'sorted',
    document: prices,
    ask: 'sort by stock, smallest first',
    script: [table('sort', { column: 'Stock', order: 'ascending' }), '- sorted'],
    check: becomes(edited(prices, [rows, '| Cocoa | 4 | 0 |\n| Coffee | 3 | 5 |\n| Tea | 2 | 10 |'])),
  },
  {
    id: 'formula-as-a-block',
    document: physics,
    ask: 'add the circumference 2 pi r as a formula of its own after the first paragraph',
    script: [
      call('insert_math', {
        position: { type: 'block', block: 1, placement: 'after' },
        latex: '2 \\pi r',
        display: true,
      }),
      '- formula added',
    ],
    check: becomes(edited(physics, ['as everybody knows.', 'as everybody knows.\n\n$$\n2 \\pi r\n$$'])),
  },
  {
    id: 'language-of-code',
    document: readme,
    ask: 'the example is typescript',
    script: [
      call('apply_formatting', {
        target: { type: 'text', find: 'widget.start()' },
        format: { type: 'codeBlock', language: 'ts' },
      }),
      '- language: ts',
    ],
    check: becomes(edited(readme, ['```js', '```ts'])),
  },
  {
    id: 'any-colour',
    document: club,
    ask: 'highlight the fees of members in rebeccapurple',
    script: [call('highlight_text', { find: '20 euros a year', color: 'rebeccapurple' }), 'Highlighted.'],
    check: all(
      untouched,
      that('nothing is highlighted in that colour', ({ after }) => after.highlights.includes('rebeccapurple')),
    ),
  },
  {
    id: 'with-a-plan',
    document: club,
    ask: 'go through the fees: members 25, guests 3. show me your plan',
    script: [
      call('update_plan', {
        items: [
          { text: 'members', state: 'doing' },
          { text: 'guests', state: 'open' },
        ],
      }),
      edit('20 euros', '25 euros'),
      edit('2 euros', '3 euros'),
      call('update_plan', {
        items: [
          { text: 'members', state: 'done' },
          { text: 'guests', state: 'done' },
        ],
      }),
      '- members 25, guests 3',
    ],
    check: becomes(edited(club, ['20 euros', '25 euros'], ['2 euros an', '3 euros an'])),
  },
])
