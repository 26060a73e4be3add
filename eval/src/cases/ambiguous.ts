import { asksBack } from '../checks.ts'
import { contract, essay, minutes, recipe } from '../documents.ts'
import { inGroup } from '../eval-case.ts'
import { call, edit, insertAt, read } from '../scripting.ts'

const teams = '# Teams\n\nAlex leads design. Alex leads sales.\n\nBoth report to Kim.\n'

/** Commands that could mean several things with different outcomes: the agent asks and changes nothing. */
export const ambiguous = inGroup('ambiguous', [
  {
    id: 'this-without-selection',
    document: essay,
    ask: 'make this bold',
    script: ['Nothing is selected. Which words do you mean?'],
    wrong: [call('apply_formatting', { target: { type: 'all' }, format: { type: 'bold' } }), 'Like so?'],
    check: asksBack,
  },
  {
    id: 'which-alex',
    document: teams,
    ask: "Alex's last name is Roth, add it. There are two people called Alex, it's the one",
    script: [read, 'Which Alex do you mean: design or sales?'],
    wrong: [edit('Alex', 'Alex Roth', { occurrence: 1 }), 'Is that the right one?'],
    check: asksBack,
  },
  {
    id: 'the-number',
    document: contract,
    ask: 'the number is wrong, fix it',
    script: [read, 'Which number, and what should it be?'],
    wrong: [edit('$4,000', '$5,000'), 'OK?'],
    check: asksBack,
  },
  {
    id: 'replace-with-nothing-said',
    document: recipe,
    ask: 'replace the onions with',
    script: ['With what shall I replace them?'],
    wrong: [edit('2 onions', '2 leeks'), 'Are leeks fine?'],
    check: asksBack,
  },
  {
    id: 'the-date',
    document: minutes,
    ask: 'move it to another day',
    script: [read, 'What shall I move: the release on Friday or the meeting of 4 May? And to which day?'],
    wrong: [edit('Friday', 'Monday'), 'Monday?'],
    check: asksBack,
  },
  {
    id: 'which-amount',
    document: contract,
    ask: 'change the amount',
    script: [read, 'Which amount, the fee of $4,000 or the cap of $100k, and to what?'],
    wrong: [edit('$100k', '$200k'), 'Is $200k right?'],
    check: asksBack,
  },
  {
    id: 'like-last-time',
    document: minutes,
    ask: 'do the same as last time',
    script: ['I do not know what we did last time. What shall I do?'],
    wrong: [insertAt('end', 'Same as last time.'), 'Like this?'],
    check: asksBack,
  },
  {
    id: 'delete-the-other',
    document: essay,
    ask: 'delete the other one',
    script: ['Which one do you mean?'],
    wrong: [edit('Doctors recommend half an hour a day.', ''), 'Right?'],
    check: asksBack,
  },
])
