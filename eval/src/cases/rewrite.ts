import { all, becomes, holds, keepsOthers, lacks, that } from '../checks.ts'
import { contract, edited, essay, minutes, recipe, variants } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, read } from '../scripting.ts'

const windy = `# Offer

At this point in time, we are in a position to be able to offer you a discount of 10 percent.

The offer ends on Friday.
`

/** Other words for the same content; the wording is free, so the checks look for required and forbidden text. */
export const rewrite = inGroup('rewrite', [
  {
    id: 'shorten',
    document: windy,
    ask: 'shorten the first paragraph',
    script: [
      read,
      edit('At this point in time, we are in a position to be able to offer you', 'We offer you'),
      '- shortened',
    ],
    check: all(
      keepsOthers('At this point'),
      holds(/10 ?(?:percent|per cent|%)/),
      lacks('in a position to be able'),
      that('it is not shorter', ({ before, after }) => after.accepted.length < before.accepted.length - 30),
    ),
  },
  {
    id: 'selection-simpler',
    document: contract,
    selection: 'This agreement runs for one year and renews automatically.',
    ask: 'say this more simply, in at most six words',
    script: [
      call('read_selection'),
      edit('This agreement runs for one year and renews automatically.', 'One year, renewed automatically.'),
      '- simplified',
    ],
    check: all(
      keepsOthers('This agreement runs'),
      lacks('runs for one year and renews'),
      that('the sentence has more than six words', ({ after }) => {
        return (after.blocks.accepted.at(-1) ?? '').split(/\s+/).length <= 6
      }),
    ),
  },
  {
    id: 'split-sentence',
    document: essay,
    ask: 'split "Snow is harder, but studded tyres help." into two sentences',
    script: [edit('Snow is harder, but studded tyres help.', 'Snow is harder. Studded tyres help.'), '- split'],
    check: becomes(
      ...variants(essay, {
        'Snow is harder, but studded tyres help.': [
          'Snow is harder. Studded tyres help.',
          'Snow is harder. But studded tyres help.',
          'Snow is harder. However, studded tyres help.',
        ],
      }),
    ),
  },
  {
    id: 'to-bullets',
    document: essay,
    ask: 'make the paragraph under Cost a bullet list, one sentence each',
    script: [
      call('get_document', { sectionIndex: 1 }),
      call('update_section', {
        operation: 'replace',
        sectionIndex: 1,
        content:
          '- A bicycle costs about 300 euros.\n- A car costs more than 20,000 euros.\n- Running a car is expensive too.',
      }),
      '- bullets',
    ],
    check: all(
      keepsOthers('A bicycle costs'),
      holds(/^- A bicycle costs about 300 euros\.?\n- A car costs more than 20,000 euros\.?\n- Running a car/m),
    ),
  },
  {
    id: 'join-paragraphs',
    document: recipe,
    ask: 'join the two paragraphs of the method into one',
    script: [
      read,
      edit(
        'fry for five minutes.',
        'fry for five minutes. Pour in the stock and simmer for 20 minutes. Blend the soup until it is smooth.',
      ),
      edit('Pour in the stock and simmer for 20 minutes. Blend the soup until it is smooth.', '', { block: 9 }),
      '- joined',
    ],
    check: becomes(edited(recipe, ['minutes.\n\nPour', 'minutes. Pour'])),
  },
  {
    id: 'formal',
    document: 'Hey guys,\n\nwe gotta talk about the budget ASAP.\n\nThe budget for 2025 is 40,000 euros.\n',
    ask: 'make the second paragraph more formal, it goes to the board',
    script: [
      read,
      edit('we gotta talk about the budget ASAP.', 'we need to discuss the budget as soon as possible.'),
      '- more formal',
    ],
    check: all(keepsOthers('gotta'), holds(/budget(?!.*2025)/i), lacks(/gotta|\bASAP\b/)),
  },
  {
    id: 'active-voice',
    document: minutes.replace('Ana books the room', 'The room is booked by Ana'),
    ask: 'second action item in active voice please',
    script: [read, edit('The room is booked by Ana', 'Ana books the room'), '- active voice'],
    check: becomes(minutes, minutes.replace('Ana books the room', 'Ana is booking the room')),
  },
  {
    id: 'expand',
    document: recipe,
    ask: 'expand the notes a bit, one or two more sentences, keep the existing one',
    script: [read, edit('the next day.', 'the next day. It keeps for three days in the fridge.'), '- added a sentence'],
    check: all(
      keepsOthers('Tastes even better'),
      holds('Tastes even better the next day.'),
      that('nothing was added after it', ({ before, after }) => {
        return after.accepted.length > before.accepted.length + 15
      }),
    ),
  },
])
