import { becomes } from '../checks.ts'
import { contract, edited, essay, minutes, readme, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, format, formatBlocks, read, unformat } from '../scripting.ts'

const stops = '# Trip\n\nBerlin\n\nPrague\n\nVienna\n\nThat is all.\n'
const loud = '# Rules\n\n**Please** do **not** feed the *ducks*.\n\nThank **you**.\n'

function remade(text: string, change: (line: string) => string): string {
  return edited(text, ['Berlin\n\nPrague\n\nVienna', ['Berlin', 'Prague', 'Vienna'].map(change).join('\n')])
}

/** How text looks and what kind of block it is; the words stay. */
export const formatting = inGroup('format', [
  {
    id: 'bold',
    document: contract,
    ask: 'make "30 days" bold',
    script: [format('30 days', 'bold'), '- 30 days is bold'],
    check: becomes(edited(contract, ['30 days', '**30 days**'])),
  },
  {
    id: 'bold-everywhere',
    document: contract,
    ask: 'Customer in bold, wherever it occurs',
    script: [format('Customer', 'bold'), '- bold (2×)'],
    check: becomes(contract.replaceAll('Customer', '**Customer**')),
  },
  {
    id: 'selection-bold',
    document: essay,
    selection: 'half an hour a day',
    ask: 'bold this',
    script: [
      call('apply_formatting', { target: { type: 'selection' }, format: { type: 'bold' } }),
      '- the selection is bold',
    ],
    check: becomes(edited(essay, ['half an hour a day', '**half an hour a day**'])),
  },
  {
    id: 'italic',
    document: recipe,
    ask: 'put "even better" in italics',
    script: [format('even better', 'italic'), '- italic'],
    check: becomes(edited(recipe, ['even better', '*even better*'])),
  },
  {
    id: 'strike',
    document: minutes,
    ask: 'strike through "Move the standup to 9:30", that was cancelled',
    script: [format('Move the standup to 9:30', 'strike'), '- struck through'],
    check: becomes(edited(minutes, ['Move the standup to 9:30', '~~Move the standup to 9:30~~'])),
  },
  {
    id: 'inline-code',
    document: '# Build\n\nRun npm test before you push.\n\nThen push.\n',
    ask: 'npm test should be inline code',
    script: [format('npm test', 'code'), '- code'],
    check: becomes('# Build\n\nRun `npm test` before you push.\n\nThen push.\n'),
  },
  {
    id: 'link',
    document: contract,
    ask: 'link Contoso GmbH to https://contoso.example',
    script: [format('Contoso GmbH', 'link', { href: 'https://contoso.example' }), '- linked'],
    check: becomes(
      edited(contract, ['Contoso GmbH', '[Contoso GmbH](https://contoso.example)']),
      edited(contract, ['Contoso GmbH', '[Contoso GmbH](https://contoso.example/)']),
    ),
  },
  {
    id: 'remove-link',
    document: readme,
    ask: 'unlink the handbook, keep the word',
    script: [unformat('handbook', 'link'), '- unlinked'],
    check: becomes(edited(readme, ['[handbook](https://widgets.example/handbook)', 'handbook'])),
  },
  {
    id: 'remove-bold-once',
    document: loud,
    ask: 'the "not" shouldnt be bold',
    script: [unformat('not', 'bold'), '- not is plain'],
    check: becomes(edited(loud, ['**not**', 'not'])),
  },
  {
    id: 'remove-bold-all',
    document: loud,
    ask: 'get rid of all the bold',
    script: [
      call('apply_formatting', { target: { type: 'all' }, format: { type: 'bold' }, remove: true }),
      '- no bold any more',
    ],
    check: becomes(loud.replaceAll('**', '')),
  },
  {
    id: 'heading-2',
    document: stops,
    ask: 'make Prague a heading 2',
    script: [format('Prague', 'heading', { level: 2 }), '- heading'],
    check: becomes(edited(stops, ['Prague', '## Prague'])),
  },
  {
    id: 'demote',
    document: minutes,
    ask: '"Open questions" should be a level 3 heading',
    script: [format('Open questions', 'heading', { level: 3 }), '- heading 3'],
    check: becomes(edited(minutes, ['## Open questions', '### Open questions'])),
  },
  {
    id: 'heading-to-text',
    document: essay,
    ask: 'Weather isnt a heading, make it normal text',
    script: [format('Weather', 'paragraph'), '- paragraph'],
    check: becomes(edited(essay, ['## Weather', 'Weather'])),
  },
  {
    id: 'bullets',
    document: stops,
    ask: 'turn the three cities into a bullet list',
    script: [read, formatBlocks(1, 3, 'bulletList'), '- list'],
    check: becomes(remade(stops, (line) => `- ${line}`)),
  },
  {
    id: 'numbers',
    document: stops,
    selection: { from: 'Berlin', to: 'Vienna' },
    ask: 'numbered list please',
    script: [
      call('apply_formatting', { target: { type: 'selection' }, format: { type: 'orderedList' } }),
      '- numbered list',
    ],
    check: becomes(edited(stops, ['Berlin\n\nPrague\n\nVienna', '1. Berlin\n2. Prague\n3. Vienna'])),
  },
  {
    id: 'checklist',
    document: recipe,
    ask: 'make the ingredients a checklist so I can tick them off',
    script: [read, formatBlocks(3, 6, 'taskList'), '- checklist'],
    check: becomes(
      edited(
        recipe,
        ['- 1 kg', '- [ ] 1 kg'],
        ['- 2 onions', '- [ ] 2 onions'],
        ['- 1 l', '- [ ] 1 l'],
        ['- salt', '- [ ] salt'],
      ),
    ),
  },
  {
    id: 'unnumber',
    document: minutes,
    ask: 'action items as bullets instead of numbers',
    script: [read, formatBlocks(7, 9, 'bulletList'), '- bullets'],
    check: becomes(edited(minutes, ['1. Ben', '- Ben'], ['2. Ana', '- Ana'], ['3. Chloé', '- Chloé'])),
  },
  {
    id: 'block-quote',
    document: stops,
    ask: 'put "That is all." in a quote block',
    script: [format('That is all.', 'blockquote'), '- quote'],
    check: becomes(edited(stops, ['That is all.', '> That is all.'])),
  },
])
