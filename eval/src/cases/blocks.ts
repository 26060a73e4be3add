import { all, becomes, suggests, that } from '../checks.ts'
import { chores, club, contract, edited, essay, minutes, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call } from '../scripting.ts'

const dated = `---\ntitle: Plan\nstatus: draft\ntags:\n  - plan\n---\n\n# Plan\n\nThe status is draft until June.\n`
const weather = essay.slice(essay.indexOf('## Weather'))
const titled = (title: string) => that(`the document is not named ${title}`, ({ after }) => after.title === title)
const remove = (input: Record<string, unknown>) => call('delete_blocks', input)
const move = (input: Record<string, unknown>) => call('move_blocks', input)

/** Whole blocks and sections deleted or moved, the title, the frontmatter. */
export const blocks = inGroup('blocks', [
  {
    id: 'delete-range',
    document: club,
    ask: 'delete everything about the room and the board',
    script: [remove({ block: 2, to: 3 }), '- 2 paragraphs removed'],
    check: becomes(edited(club, ['The room is upstairs, next to the bar.\n\nBring your own board.\n\n', ''])),
  },
  {
    id: 'delete-section',
    document: club,
    ask: 'the fees part is obsolete, heading and all',
    script: [call('get_document'), remove({ section: 1 }), '- removed Fees'],
    check: becomes(edited(club, ['## Fees\n\nMembers pay 20 euros a year.\n\nGuests pay 2 euros an evening.\n\n', ''])),
  },
  {
    id: 'delete-item-with-sub-items',
    document: chores,
    ask: 'drop "call Ana" together with its sub-point',
    script: [remove({ block: 2, to: 3 }), '- removed'],
    check: becomes(edited(chores, ['- [x] call Ana\n  - [ ] ask about Friday\n', ''])),
  },
  {
    id: 'delete-only-heading',
    document: club,
    ask: 'supprime le titre "Contact", mais garde le texte',
    script: [remove({ block: 7 }), '- titre supprimé'],
    check: becomes(edited(club, ['## Contact\n\n', ''])),
  },
  {
    id: 'suggest-deleting-item',
    document: minutes,
    mode: 'suggest',
    ask: 'we should drop the second decision',
    script: [remove({ block: 4 }), 'Suggested.'],
    check: suggests(edited(minutes, ['- Move the standup to 9:30\n', ''])),
  },
  {
    id: 'paragraph-up',
    document: club,
    ask: 'mention the board before the room',
    script: [move({ block: 3, before: 2 }), '- moved'],
    check: becomes(
      edited(club, ['Bring your own board.\n\n', ''], ['The room is', 'Bring your own board.\n\nThe room is']),
    ),
  },
  {
    id: 'item-to-other-list',
    document: edited(minutes, [
      '1. Ben writes the release notes\n2. Ana books the room\n3. Chloé calls the printer',
      '- Ben writes the release notes\n- Ana books the room',
    ]),
    ask: '"Hire a second designer" is an action item, move it down there to the end of the list',
    script: [move({ block: 5, after: 8 }), '- moved'],
    check: becomes(
      edited(
        minutes,
        [
          '1. Ben writes the release notes\n2. Ana books the room\n3. Chloé calls the printer',
          '- Ben writes the release notes\n- Ana books the room\n- Hire a second designer',
        ],
        ['- Hire a second designer\n', ''],
      ),
      edited(
        minutes,
        ['- Hire a second designer\n', ''],
        [
          '1. Ben writes the release notes\n2. Ana books the room\n3. Chloé calls the printer',
          '- Ben writes the release notes\n- Ana books the room\n- Hire a second designer',
        ],
      ),
    ),
  },
  {
    id: 'section-to-the-front',
    document: essay,
    ask: 'Weather should come first, before Cost',
    script: [call('get_document'), move({ section: 3, before: 1 }), '- moved'],
    check: becomes(edited(essay, [`\n${weather}`, ''], ['## Cost', `${weather}\n## Cost`])),
  },
  {
    id: 'sections-reversed',
    document: contract,
    ask: 'Term first, then Liability, then Fees, then Services. leave the numbers in the headings as they are',
    script: [
      call('get_document'),
      [
        move({ section: 4, before: 1 }),
        move({ section: 3, before: 1 }),
        move({ section: 2, before: 1 }),
        move({ section: 4, before: 3 }),
        move({ section: 3, before: 2 }),
      ],
      '- reversed',
    ],
    check: becomes(
      `${contract.slice(0, contract.indexOf('## 1.'))}${['4.', '3.', '2.', '1.']
        .map((number) => new RegExp(`## ${number}[^#]*`).exec(contract)?.[0].trimEnd())
        .join('\n\n')}\n`,
    ),
  },
  {
    id: 'title',
    document: recipe,
    ask: 'nenn das Dokument "Kürbissuppe mit Apfel"',
    script: [call('set_title', { title: 'Kürbissuppe mit Apfel' }), '- neuer Titel'],
    check: all(becomes(edited(recipe, ['# Pumpkin soup', '# Kürbissuppe mit Apfel'])), titled('Kürbissuppe mit Apfel')),
  },
  {
    id: 'title-where-none-is',
    document: 'We meet on Monday.\n\nBring cake.\n',
    ask: 'this needs a title: Monday meeting',
    script: [call('set_title', { title: 'Monday meeting' }), '- title'],
    check: all(becomes('# Monday meeting\n\nWe meet on Monday.\n\nBring cake.\n'), titled('Monday meeting')),
  },
  {
    id: 'frontmatter-value',
    document: dated,
    ask: 'status in the metadata → published',
    script: [call('edit_frontmatter', { key: 'status', value: 'published' }), '- status: published'],
    check: becomes(edited(dated, ['status: draft', 'status: published'])),
  },
  {
    id: 'frontmatter-list',
    document: dated,
    ask: 'tag it with plan and june in the frontmatter',
    script: [call('edit_frontmatter', { key: 'tags', value: ['plan', 'june'] }), '- tags'],
    check: becomes(edited(dated, ['  - plan\n', '  - plan\n  - june\n'])),
  },
  {
    id: 'frontmatter-new',
    document: club,
    ask: 'add frontmatter with the key lang set to en',
    script: [call('edit_frontmatter', { key: 'lang', value: 'en' }), '- lang: en'],
    check: becomes(`---\nlang: en\n---\n\n${club}`),
  },
])
