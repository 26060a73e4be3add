import { all, answers, becomes, suggests, untouched, uses } from '../checks.ts'
import { club, edited, essay, recipe } from '../documents.ts'
import { inGroup, type Turn } from '../eval-case.ts'
import { call, edit, insertAfter, read, replaceAll, section } from '../scripting.ts'

const history = call('read_history')
const undo = (run: number, step?: number) => call('undo_changes', { run, ...(step === undefined ? {} : { step }) })

// The text is that of the beginning, so the text alone doesn't tell whether anything was done.
const tookBack = uses('undo_changes', 'edit_document', 'insert_text', 'update_section')

const shortened: Turn = {
  ask: 'shorten the paragraph about the room',
  script: [read, edit('The room is upstairs, next to the bar.', 'Upstairs, by the bar.'), '- shortened'],
}

const threeEdits: Turn = {
  ask: 'Tuesday should be Wednesday, members pay 25, guests pay 3',
  script: [
    [edit('Tuesday', 'Wednesday'), edit('20 euros', '25 euros'), edit('2 euros', '3 euros', { block: 6 })],
    '- Tuesday → Wednesday\n- 20 → 25 euros\n- 2 → 3 euros',
  ],
}

const titled: Turn = { ask: 'call it Chess circle', script: [edit('Chess club', 'Chess circle'), '- new title'] }

const withoutNotes: Turn = {
  ask: 'remove the notes section',
  script: [call('get_document'), section('delete', { section: 3 }), '- removed Notes'],
}

/** What the agent did in earlier turns: taken back exactly, in part, or done again elsewhere. */
export const memory = inGroup('memory', [
  {
    id: 'put-it-back',
    document: club,
    earlier: [shortened],
    ask: 'hm, put it back exactly as it was',
    script: [history, undo(1), '- as it was'],
    check: all(becomes(club), tookBack),
  },
  {
    id: 'only-the-second',
    document: club,
    earlier: [threeEdits],
    ask: 'undo only the second of these',
    script: [history, undo(1, 2), '- members pay 20 euros again'],
    check: becomes(edited(club, ['Tuesday', 'Wednesday'], ['2 euros an', '3 euros an'])),
  },
  {
    id: 'first-run-of-two',
    document: club,
    earlier: [titled, threeEdits],
    ask: 'take back the change of the title, keep the rest',
    script: [history, undo(1), '- title as before'],
    check: becomes(edited(club, ['Tuesday', 'Wednesday'], ['20 euros', '25 euros'], ['2 euros an', '3 euros an'])),
  },
  {
    id: 'german-undo-all',
    document: club,
    earlier: [titled, threeEdits],
    ask: 'mach alles rückgängig, was du heute geändert hast',
    script: [history, [undo(2), undo(1)], '- alles wie vorher'],
    check: all(becomes(club), tookBack),
  },
  {
    id: 'keep-what-people-wrote',
    document: club,
    earlier: [
      {
        ...shortened,
        concurrentEdits: [
          { by: 'Ben', call: 99, edit: { kind: 'type', after: 'Bring your own board', text: ' and clock' } },
        ],
      },
    ],
    ask: "undo your last edit but keep Ben's",
    script: [undo(1), "- your text is back, Ben's words stay"],
    check: becomes(edited(club, ['own board', 'own board and clock'])),
  },
  {
    id: 'deleted-section-back',
    document: recipe,
    earlier: [withoutNotes],
    ask: 'oh no, I need that section after all',
    script: [history, undo(1), '- Notes is back'],
    check: all(becomes(recipe), tookBack),
  },
  {
    id: 'what-did-you-change',
    document: club,
    earlier: [threeEdits],
    ask: 'what exactly did you change in the fees?',
    script: [history, 'Members: 20 → 25 euros. Guests: 2 → 3 euros.'],
    wrong: [undo(1), 'Members 25 → 20, guests 3 → 2.'],
    check: all(
      becomes(edited(club, ['Tuesday', 'Wednesday'], ['20 euros', '25 euros'], ['2 euros an', '3 euros an'])),
      answers('25', '3'),
    ),
  },
  {
    id: 'the-old-wording',
    document: club,
    earlier: [shortened],
    ask: 'keep it short, but what was the old wording? just tell me',
    script: [call('read_history', { run: 1 }), 'It was: "The room is upstairs, next to the bar."'],
    wrong: [undo(1), 'The room is upstairs, next to the bar.'],
    check: all(
      becomes(edited(club, ['The room is upstairs, next to the bar.', 'Upstairs, by the bar.'])),
      answers('next to the bar'),
    ),
  },
  {
    id: 'same-elsewhere',
    document: essay,
    earlier: [
      {
        ask: 'write "bike" instead of "bicycle" in Cost',
        script: [replaceAll('bicycle', 'bike', { block: 3 }), '- bicycle → bike'],
      },
    ],
    ask: 'now the same with cycling → biking, everywhere',
    script: [
      replaceAll('cycling', 'biking', { matchCase: true }),
      replaceAll('Cycling', 'Biking', { matchCase: true }),
      '- cycling → biking (2×)',
    ],
    check: becomes(
      edited(essay, ['A bicycle costs', 'A bike costs'], ['Cycling is', 'Biking is'], ['that cycling', 'that biking']),
    ),
  },
  {
    id: 'redo-differently',
    document: club,
    earlier: [shortened],
    ask: "that's too short. Go back to the original and only cut the part about the bar",
    script: [undo(1), edit(', next to the bar', ''), '- only the bar is gone'],
    check: becomes(edited(club, [', next to the bar', ''])),
  },
  {
    id: 'added-item-away',
    document: recipe,
    earlier: [
      {
        ask: 'add 2 carrots and 1 apple to the ingredients',
        script: [
          [insertAfter('2 onions', '- 2 carrots'), insertAfter('salt and pepper', '- 1 apple')],
          '- 2 carrots\n- 1 apple',
        ],
      },
    ],
    ask: 'the apple was a mistake, remove it again',
    script: [undo(1, 2), '- no apple'],
    check: becomes(edited(recipe, ['- 2 onions\n', '- 2 onions\n- 2 carrots\n'])),
  },
  {
    id: 'undo-while-suggesting',
    document: club,
    mode: 'suggest',
    earlier: [{ ask: 'Tuesday → Wednesday', script: [edit('Tuesday', 'Wednesday'), 'Suggested Wednesday.'] }],
    ask: 'suggest Thursday instead',
    script: [edit('Wednesday', 'Thursday'), 'Suggested Thursday.'],
    check: suggests(edited(club, ['Tuesday', 'Thursday'])),
  },
  {
    id: 'nothing-to-undo',
    document: club,
    earlier: [{ ask: 'when do they meet?', script: ['Tuesday at seven.'] }],
    ask: 'undo your changes',
    script: ['I have not changed anything, so there is nothing to undo.'],
    wrong: [edit('Tuesday', 'Monday'), 'Undone, nothing is left.'],
    check: all(untouched, answers(/nothing|no change|not changed|haven['’]t/i)),
  },
])
