import { all, answersOnly, becomes, holds, keepsOthers } from '../checks.ts'
import { edited, readme, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, formatBlocks, insertAfter, read, unformat } from '../scripting.ts'

const prices = `# Prices

| Item | Price |
| --- | --- |
| Tea | 2 |
| Coffee | 3 |

All prices in euros.
`

const python = '# Notes\n\ndef add(a, b): return a + b\n\nUse `add` to add.\n'

/** Tables, code and formulas: a wrong character there breaks more than a sentence. */
export const tablesAndCode = inGroup('tables-and-code', [
  {
    id: 'cell',
    document: prices,
    ask: 'coffee costs 3.50 now',
    script: [read, edit('3', '3.50'), '- Coffee: 3 → 3.50'],
    check: becomes(edited(prices, ['| Coffee | 3 |', '| Coffee | 3.50 |'])),
  },
  {
    id: 'row',
    document: prices,
    ask: 'add a row: Cocoa, 4',
    script: [insertAfter('Coffee', '| Cocoa | 4 |', { as: 'block' }), '- added a row'],
    check: becomes(edited(prices, ['| Coffee | 3 |\n', '| Coffee | 3 |\n| Cocoa | 4 |\n'])),
  },
  {
    id: 'row-before',
    document: readme,
    ask: 'in the options table, add "host | localhost | the interface" before port',
    script: [
      read,
      call('insert_text', {
        position: { type: 'relative', anchor: 'port', placement: 'before', occurrence: 1 },
        content: '| host | localhost | the interface |',
        as: 'block',
      }),
      '- added a row',
    ],
    check: becomes(edited(readme, ['| port |', '| host | localhost | the interface |\n| port |'])),
  },
  {
    id: 'header',
    document: prices,
    ask: 'rename the column Price to "Price in €"',
    script: [read, edit('Price', 'Price in €', { block: 1 }), '- renamed'],
    check: becomes(edited(prices, ['| Item | Price |', '| Item | Price in € |'])),
  },
  {
    id: 'new-table',
    document: recipe,
    ask: 'turn the ingredients into a table with the columns Amount and Ingredient',
    script: [
      call('get_document', { sectionIndex: 1 }),
      call('update_section', {
        operation: 'replace',
        sectionIndex: 1,
        content:
          '| Amount | Ingredient |\n| --- | --- |\n| 1 kg | pumpkin |\n| 2 | onions |\n| 1 l | vegetable stock |\n|  | salt and pepper |',
      }),
      '- table',
    ],
    check: all(
      keepsOthers('1 kg pumpkin'),
      holds(/^\| *Amount *\| *Ingredient *\|$/m, /^\| *1 kg *\| *pumpkin *\|$/m, /salt and pepper/),
    ),
  },
  {
    id: 'code-value',
    document: readme,
    ask: 'change the size in the example to 5',
    script: [read, edit('size: 3', 'size: 5'), '- size: 5'],
    check: becomes(edited(readme, ['size: 3', 'size: 5'])),
  },
  {
    id: 'code-rename',
    document: readme,
    ask: 'in the js example call the variable `w` instead of widget, keep createWidget',
    script: [read, [edit('const widget', 'const w'), edit('widget.start()', 'w.start()')], '- widget → w (2×)'],
    check: becomes(edited(readme, ['const widget', 'const w'], ['widget.start()', 'w.start()'])),
  },
  {
    id: 'code-comment',
    document: readme,
    ask: 'add a comment "// opens the window" at the end of the widget.start() line',
    script: [edit('widget.start()', 'widget.start() // opens the window'), '- added'],
    check: becomes(edited(readme, ['widget.start()', 'widget.start() // opens the window'])),
  },
  {
    id: 'to-code-block',
    document: python,
    ask: 'the python line should be a code block',
    script: [read, formatBlocks(1, 1, 'codeBlock'), '- code block'],
    check: becomes(
      ...['', 'python', 'py'].map((language) => {
        return edited(python, ['def add(a, b): return a + b', `\`\`\`${language}\ndef add(a, b): return a + b\n\`\`\``])
      }),
    ),
  },
  {
    id: 'only-outside-code',
    document: readme,
    ask: 'write "gadgets" instead of "widgets" in the first sentence, code stays',
    script: [read, edit('widgets', 'gadgets', { block: 1 }), '- widgets → gadgets'],
    check: becomes(edited(readme, ['**widgets**', '**gadgets**'])),
  },
  {
    id: 'explain-code',
    document: readme,
    ask: 'what does the js example do?',
    script: [read, 'It creates a widget of size 3 and starts it.'],
    wrong: [insertAfter('widget.start()', ' // starts it'), 'It creates a widget and starts it.'],
    check: answersOnly(/start/i),
  },
  {
    id: 'plain-command',
    document: readme,
    ask: 'widget --help should not be code style',
    script: [unformat('widget --help', 'code'), '- plain'],
    check: becomes(edited(readme, ['`widget --help`', 'widget --help'])),
  },
  {
    id: 'dollar-signs',
    document: '# Costs\n\nIt costs $5 or $6 and `$x` is a variable.\n\nThe end.\n',
    ask: 'make the $5 a $7',
    script: [edit('$5', '$7'), '- $5 → $7'],
    check: becomes('# Costs\n\nIt costs $7 or $6 and `$x` is a variable.\n\nThe end.\n'),
  },
])
