import { all, becomes, holds, keepsOthers, that } from '../checks.ts'
import { contract, edited, essay, minutes, recipe, variants } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, insertAfter, insertAt, insertBefore, read } from '../scripting.ts'

const ingredients = ['- 1 kg pumpkin\n', '- 2 onions\n', '- 1 l vegetable stock\n', '- salt and pepper\n']
const dated = `---\ntitle: Plan\nstatus: draft\n---\n\n# Plan\n\nThe status is draft until June.\n`

/** New text, here and there. */
export const insert = inGroup('insert', [
  {
    id: 'end',
    document: contract,
    ask: 'add "Signed in Berlin." as a last paragraph',
    script: [insertAt('end', 'Signed in Berlin.', { as: 'block' }), '- added at the end'],
    check: becomes(`${contract}\nSigned in Berlin.\n`),
  },
  {
    id: 'top',
    document: contract,
    ask: 'put a line saying Draft at the very top, above the title',
    script: [insertAt('start', 'Draft', { as: 'block' }), '- added at the top'],
    check: becomes(...['Draft', '**Draft**', '*Draft*'].map((line) => `${line}\n\n${contract}`)),
  },
  {
    id: 'list-item',
    document: recipe,
    ask: 'we also need 2 carrots, add them to the ingredients',
    script: [insertAfter('2 onions', '- 2 carrots'), '- added 2 carrots'],
    check: becomes(...ingredients.map((item) => edited(recipe, [item, `${item}- 2 carrots\n`]))),
  },
  {
    id: 'numbered-item',
    document: minutes,
    ask: 'Add action item: Ben orders lunch',
    script: [insertAfter('Chloé calls the printer', '4. Ben orders lunch'), '- added item 4'],
    check: becomes(edited(minutes, ['calls the printer\n', 'calls the printer\n4. Ben orders lunch\n'])),
  },
  {
    id: 'sub-item',
    document: minutes,
    ask: 'below "Hire a second designer" add a nested point "Ask Mia for contacts"',
    script: [
      call('get_document', { sectionIndex: 1 }),
      call('update_section', {
        operation: 'replace',
        sectionIndex: 1,
        content:
          '- Ship version 2.1 on Friday\n- Move the standup to 9:30\n- Hire a second designer\n  - Ask Mia for contacts',
      }),
      'Added the nested point.',
    ],
    check: becomes(edited(minutes, ['Hire a second designer\n', 'Hire a second designer\n  - Ask Mia for contacts\n'])),
  },
  {
    id: 'sentence',
    document: recipe,
    ask: 'after "A quick soup for cold evenings." add the sentence "Serves four."',
    script: [insertAfter('A quick soup for cold evenings.', ' Serves four.'), '- added'],
    check: becomes(edited(recipe, ['cold evenings.', 'cold evenings. Serves four.'])),
  },
  {
    id: 'paragraph-between',
    document: essay,
    ask: 'new paragraph right after the intro: "This text is for beginners."',
    script: [read, insertAfter('and it is fun.', '\n\nThis text is for beginners.', { as: 'block' }), '- added'],
    check: becomes(edited(essay, ['and it is fun.\n', 'and it is fun.\n\nThis text is for beginners.\n'])),
  },
  {
    id: 'at-caret',
    document: recipe,
    caret: 'Chop the ',
    ask: 'insert the word "peeled" here',
    script: [call('insert_text', { position: { type: 'selection' }, content: 'peeled ' }), '- inserted'],
    check: becomes(edited(recipe, ['Chop the onions', 'Chop the peeled onions'])),
  },
  {
    id: 'after-selection',
    document: contract,
    selection: 'Annex A',
    ask: 'add "and Annex B" after this',
    script: [call('insert_text', { position: { type: 'selection' }, content: ' and Annex B' }), '- added'],
    check: becomes(edited(contract, ['Annex A', 'Annex A and Annex B'])),
  },
  {
    id: 'introduction',
    document: contract,
    ask: 'write an introduction and make it a heading 2',
    script: [
      read,
      insertBefore('1. Services', '## Introduction\n\nThis agreement governs what Northwind does for Contoso.', {
        as: 'block',
      }),
      '- added an introduction before section 1',
    ],
    check: all(
      keepsOthers(),
      holds(/^## [^\n]*Introduction[^\n]*\n\n[^\n#]{20,}/m),
      that('the introduction does not come before section 1', ({ after }) => {
        return after.accepted.indexOf('Introduction') < after.accepted.indexOf('## 1. Services')
      }),
    ),
  },
  {
    id: 'rule',
    document: recipe,
    ask: 'horizontal line before the notes please',
    script: [insertBefore('Notes', '---', { as: 'block' }), '- added a line'],
    check: becomes(edited(recipe, ['## Notes', '---\n\n## Notes'])),
  },
  {
    id: 'contents',
    document: essay,
    ask: 'give it a small table of contents after the first paragraph, as a bullet list',
    script: [read, insertAfter('and it is fun.', '- Cost\n- Health\n- Weather', { as: 'block' }), '- added'],
    check: all(keepsOthers(), holds(/^- .*Cost.*\n- .*Health.*\n- .*Weather.*$/m)),
  },
  {
    id: 'quote',
    document: essay,
    ask: 'Close with a block quote: "Nothing compares to the simple pleasure of riding a bike."',
    script: [insertAt('end', '> Nothing compares to the simple pleasure of riding a bike.'), '- added the quote'],
    check: becomes(
      ...['', '"'].map((mark) => {
        return `${essay}\n> ${mark}Nothing compares to the simple pleasure of riding a bike.${mark}\n`
      }),
    ),
  },
  {
    id: 'tasks',
    document: minutes,
    ask: 'add a checklist at the end with: invite everybody, print agenda',
    script: [insertAt('end', '- [ ] invite everybody\n- [ ] print agenda'), '- added a checklist'],
    check: all(keepsOthers(), holds(/- \[ \] invite everybody\n- \[ \] print agenda\n$/i)),
  },
  {
    id: 'empty-document',
    document: '',
    ask: 'make the title "Plans for June" and below it the line "To be written."',
    script: [insertAt('start', '# Plans for June\n\nTo be written.'), '- written'],
    check: becomes('# Plans for June\n\nTo be written.\n'),
  },
  {
    id: 'two-places',
    document: essay,
    ask: 'end both the Cost and the Health section with the sentence "So ride."',
    script: [
      read,
      [insertAfter('Running a car is expensive too.', ' So ride.'), insertAfter('half an hour a day.', ' So ride.')],
      '- added twice',
    ],
    check: becomes(
      ...variants(essay, {
        'expensive too.': ['expensive too. So ride.', 'expensive too.\n\nSo ride.'],
        'an hour a day.': ['an hour a day. So ride.', 'an hour a day.\n\nSo ride.'],
      }),
    ),
  },
  {
    id: 'frontmatter',
    document: dated,
    ask: 'set the status in the frontmatter to final',
    script: [read, edit('status: draft', 'status: final', { block: 'frontmatter' }), '- status: final'],
    check: becomes(edited(dated, ['status: draft', 'status: final'])),
  },
])
