import { becomes } from '../checks.ts'
import { contract, edited, essay, minutes, readme, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, format, read, replaceAll } from '../scripting.ts'

const pets = '# Pets\n\nEvery cat has a category. A cat is no dog, said Cat Stevens.\n\n- my cat\n- **cat** food\n'
const dates = 'Kick-off is on 3 May 2024, the review on 14 June 2024.\n\nWe founded the club in May 2019.\n'
const dashes = 'The plan - if there is one - is late.\n\n- one\n- two\n\nA well-known fact.\n'

/** A text for another: everywhere, in one place, or in some. */
export const replace = inGroup('replace', [
  {
    id: 'everywhere',
    document: contract,
    ask: 'replace Supplier with Vendor everywhere',
    script: [replaceAll('Supplier', 'Vendor'), '- Supplier → Vendor (4×)'],
    check: becomes(contract.replaceAll('Supplier', 'Vendor')),
  },
  {
    id: 'rename-party',
    document: contract,
    ask: 'The customer is now called Client throughout, so Customer -> Client please',
    script: [replaceAll('Customer', 'Client', { matchCase: true }), '- Customer → Client (2×)'],
    check: becomes(contract.replaceAll('Customer', 'Client')),
  },
  {
    id: 'keep-capitals',
    document: contract,
    ask: 'call it a contract instead of an agreement, everywhere; keep upper and lower case as it is',
    script: [
      [
        replaceAll('agreement', 'contract', { matchCase: true }),
        replaceAll('Agreement', 'Contract', { matchCase: true }),
      ],
      '- agreement → contract (4×)',
    ],
    check: becomes(contract.replaceAll('agreement', 'contract').replaceAll('Agreement', 'Contract')),
  },
  {
    id: 'first-only',
    document: recipe,
    ask: 'change the first "soup" to "stew"',
    script: [edit('soup', 'stew', { occurrence: 'first' }), '- soup → stew, in the title'],
    check: becomes(edited(recipe, ['soup', 'stew'])),
  },
  {
    id: 'last-only',
    document: recipe,
    ask: 'the last "fry" should be "roast"',
    script: [edit('fry', 'roast', { occurrence: 'last' }), '- fry → roast'],
    check: becomes(edited(recipe, ['and fry for', 'and roast for'])),
  },
  {
    id: 'amount',
    document: contract,
    ask: 'make the monthly fee $4,500',
    script: [read, edit('$4,000', '$4,500'), '- $4,000 → $4,500'],
    check: becomes(edited(contract, ['$4,000', '$4,500'])),
  },
  {
    id: 'only-in-section',
    document: edited(minutes, ['Who owns the newsletter?', 'Does Ben own the newsletter?']),
    ask: 'write Benjamin instead of Ben, but only in the action items',
    script: [read, edit('Ben writes', 'Benjamin writes'), '- Ben → Benjamin in the first action item'],
    check: becomes(
      edited(minutes, ['Who owns the newsletter?', 'Does Ben own the newsletter?'], ['Ben writes', 'Benjamin writes']),
    ),
  },
  {
    id: 'whole-words',
    document: pets,
    ask: 'replace the animal cat by rabbit. Not in words like category and not the singer of course',
    script: [replaceAll('cat', 'rabbit', { wholeWord: true, matchCase: true }), '- cat → rabbit (4×)'],
    check: becomes(
      '# Pets\n\nEvery rabbit has a category. A rabbit is no dog, said Cat Stevens.\n\n- my rabbit\n- **rabbit** food\n',
    ),
  },
  {
    id: 'dates',
    document: dates,
    ask: 'write the full dates like 2024-05-03',
    script: [read, [edit('3 May 2024', '2024-05-03'), edit('14 June 2024', '2024-06-14')], '- 2 dates'],
    check: becomes(edited(dates, ['3 May 2024', '2024-05-03'], ['14 June 2024', '2024-06-14'])),
  },
  {
    id: 'delete-word',
    document: essay,
    ask: 'drop the "very"s',
    script: [edit('very, very ', ''), '- removed very (2×)'],
    check: becomes(edited(essay, ['very, very ', ''])),
  },
  {
    id: 'swap-names',
    document: minutes,
    ask: 'Ana and Ben swap their action items',
    script: [read, [edit('Ben writes', 'Ana writes'), edit('Ana books', 'Ben books')], '- swapped Ana and Ben'],
    check: becomes(
      edited(minutes, ['Ben writes', 'Ana writes'], ['Ana books', 'Ben books']),
      edited(
        minutes,
        ['Ben writes the release notes', 'Ben books the room'],
        ['Ana books the room', 'Ana writes the release notes'],
      ),
    ),
  },
  {
    id: 'link-address',
    document: readme,
    ask: 'the handbook moved to https://docs.widgets.example/ - update the link',
    script: [format('handbook', 'link', { href: 'https://docs.widgets.example/' }), '- link updated'],
    check: becomes(edited(readme, ['https://widgets.example/handbook', 'https://docs.widgets.example/'])),
  },
  {
    id: 'em-dashes',
    document: dashes,
    ask: 'use em dashes without spaces instead of the hyphens in the first sentence',
    script: [[edit(' - if', '—if'), edit('one - is', 'one—is')], '- two em dashes'],
    check: becomes(edited(dashes, [' - if', '—if'], [' - is', '—is'])),
  },
  {
    id: 'selected',
    document: contract,
    selection: 'one year',
    ask: 'make this two years',
    script: [call('read_selection'), edit('one year', 'two years'), '- one year → two years'],
    check: becomes(edited(contract, ['one year', 'two years'])),
  },
])
