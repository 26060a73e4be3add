import { all, becomes, holds, keepsOthers, lacks, that } from '../checks.ts'
import { contract, edited, essay, minutes, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, insertAfter, read, section } from '../scripting.ts'

const notes = '\n## Notes\n\nTastes even better the next day.\n'
const weather = essay.slice(essay.indexOf('## Weather'))

/** Whole sections: add, remove, rename, move, rewrite. */
export const sections = inGroup('sections', [
  {
    id: 'append',
    document: contract,
    ask: 'add a section "5. Governing law" at the end: The laws of Germany apply.',
    script: [section('append', { title: '5. Governing law', content: 'The laws of Germany apply.' }), '- added'],
    check: becomes(`${contract}\n## 5. Governing law\n\nThe laws of Germany apply.\n`),
  },
  {
    id: 'insert-before',
    document: recipe,
    ask: 'before Method insert a section Equipment with a list: large pot, blender',
    script: [
      call('get_document'),
      section('insert', { sectionIndex: 2, title: 'Equipment', content: '- large pot\n- blender' }),
      '- inserted',
    ],
    check: becomes(edited(recipe, ['## Method', '## Equipment\n\n- large pot\n- blender\n\n## Method'])),
  },
  {
    id: 'delete',
    document: recipe,
    ask: 'remove the notes section',
    script: [call('get_document'), section('delete', { sectionIndex: 3 }), '- removed Notes'],
    check: becomes(edited(recipe, [notes, ''])),
  },
  {
    id: 'delete-by-topic',
    document: essay,
    ask: "we don't need the part about rain and snow",
    script: [call('get_document'), section('delete', { sectionIndex: 3 }), '- removed Weather'],
    check: becomes(edited(essay, [`\n${weather}`, ''])),
  },
  {
    id: 'rename',
    document: essay,
    ask: 'rename the section Cost to "What it costs"',
    script: [edit('Cost', 'What it costs', { occurrence: 1 }), '- renamed'],
    check: becomes(edited(essay, ['## Cost', '## What it costs'])),
  },
  {
    id: 'retitle',
    document: recipe,
    ask: 'new title: Pumpkin and apple soup',
    script: [edit('Pumpkin soup', 'Pumpkin and apple soup'), '- new title'],
    check: becomes(edited(recipe, ['# Pumpkin soup', '# Pumpkin and apple soup'])),
  },
  {
    id: 'move',
    document: recipe,
    ask: 'move Notes before Method',
    script: [
      call('get_document'),
      section('insert', { sectionIndex: 2, title: 'Notes', content: 'Tastes even better the next day.' }),
      section('delete', { sectionIndex: 4 }),
      '- moved',
    ],
    check: becomes(edited(recipe, [notes, ''], ['## Method', `${notes.trimStart()}\n## Method`])),
  },
  {
    id: 'swap',
    document: essay,
    ask: 'Swap the order of the sections Health and Weather',
    script: [
      call('get_document'),
      section('insert', {
        sectionIndex: 2,
        title: 'Weather',
        content: 'Rain is a matter of clothing. Snow is harder, but studded tyres help.',
      }),
      section('delete', { sectionIndex: 4 }),
      '- swapped',
    ],
    check: becomes(edited(essay, [`\n${weather}`, ''], ['## Health', `${weather}\n## Health`])),
  },
  {
    id: 'rewrite',
    document: recipe,
    ask: 'rewrite the method section as a numbered list of steps',
    script: [
      call('get_document', { sectionIndex: 2 }),
      section('replace', {
        sectionIndex: 2,
        content: [
          '1. Chop the onions and fry them in butter.',
          '2. Add the pumpkin and fry for five minutes.',
          '3. Pour in the stock and simmer for 20 minutes.',
          '4. Blend the soup until it is smooth.',
        ].join('\n'),
      }),
      '- Method is a numbered list',
    ],
    check: all(
      keepsOthers('Chop the onions', 'Pour in the stock'),
      holds(/^1\. .*onions/im, /^[3-5]\. .*stock/im, '## Method'),
      that('the steps stand twice', ({ after }) => after.accepted.split('simmer').length === 2),
    ),
  },
  {
    id: 'sub-section',
    document: contract,
    ask: 'in section 2 add a subsection (heading 3) "Late payment" with "Interest is 5 % a year."',
    script: [
      read,
      insertAfter('of the invoice date.', '### Late payment\n\nInterest is 5 % a year.', { as: 'block' }),
      '- added',
    ],
    check: becomes(
      edited(contract, ['invoice date.\n', 'invoice date.\n\n### Late payment\n\nInterest is 5 % a year.\n']),
    ),
  },
  {
    id: 'empty-section',
    document: minutes,
    ask: 'clear everything under Decisions but leave the heading',
    script: [call('get_document'), section('replace', { sectionIndex: 1, content: '' }), '- cleared'],
    check: becomes(
      edited(minutes, ['- Ship version 2.1 on Friday\n- Move the standup to 9:30\n- Hire a second designer\n\n', '']),
    ),
  },
  {
    id: 'summary',
    document: essay,
    ask: 'add a section Summary at the end with two or three bullet points',
    script: [
      read,
      section('append', { title: 'Summary', content: '- Bikes are cheap.\n- They keep you healthy.' }),
      '- added a summary',
    ],
    check: all(keepsOthers(), holds(/## Summary\n\n(?:- [^\n]+\n){2,3}$/)),
  },
  {
    id: 'merge',
    document: essay,
    ask: 'merge Health into Cost: one section called "Cost and health" with both paragraphs, nothing reworded',
    script: [
      call('get_document'),
      section('replace', {
        sectionIndex: 1,
        title: 'Cost and health',
        content: essay.slice(essay.indexOf('A bicycle'), essay.indexOf('## Weather')).replace('## Health\n\n', ''),
      }),
      section('delete', { sectionIndex: 2 }),
      '- merged',
    ],
    check: all(becomes(edited(essay, ['## Cost', '## Cost and health'], ['## Health\n\n', ''])), lacks('## Health')),
  },
])
