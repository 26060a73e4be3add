import { all, becomes, changeCount, commentCount, comments, suggests, that, untouched } from '../checks.ts'
import { club, contract, edited, prices, recipe } from '../documents.ts'
import { type EvalCase, inGroup, type ReviewStep, type ScriptStep } from '../eval-case.ts'
import { call, capture, comment, edit, format, insertAfter, read } from '../scripting.ts'

const by = (name: string, on: string, text: string): ReviewStep => ({ by: name, ...comment(on, text) })

const fee = by('Ben', '$4,000', 'Should be $4,200 as of May.')
const term = by('Chloé', 'one year', 'Two years, please.')
const cap = by('Ben', '$100k', 'Please bold this, people overlook it.')
const room = by('Ben', 'The room is upstairs', 'This paragraph can go, we moved.')
const readThem = call('read_comments')

const stillOpen = that('a comment was resolved unasked', ({ after }) =>
  after.threads.every(({ resolved }) => !resolved),
)

const firstThread: ScriptStep = (results) =>
  call('resolve_comment', { commentId: capture(results, /Thread ([\w-]+),/) })

const onlyResolved = (author: string): EvalCase['check'] =>
  that(`not exactly the thread of ${author} is resolved`, ({ after }) => {
    return after.threads.every(({ resolved, comments: said }) => resolved === (said[0]?.author === author))
  })

/** "Carry out", "review" and "suggest": comments of people as a task, and comments as the result. */
export const commentTasks = inGroup('comments', [
  {
    id: 'carry-out-all',
    document: contract,
    review: [fee, term, cap],
    ask: 'Please work through the comments and change what they ask for',
    script: [
      readThem,
      [edit('$4,000', '$4,200'), edit('one year', 'two years'), format('$100k', 'bold')],
      '- $4,000 → $4,200\n- one year → two years\n- $100k is bold',
    ],
    check: all(
      becomes(edited(contract, ['$4,000', '$4,200'], ['one year', 'two years'], ['$100k', '**$100k**'])),
      commentCount(0),
      stillOpen,
    ),
  },
  {
    id: 'carry-out-suggested',
    document: contract,
    mode: 'suggest',
    review: [fee, term],
    ask: 'setz die Kommentare um',
    script: [readThem, [edit('$4,000', '$4,200'), edit('one year', 'two years')], 'Zwei Änderungen vorgeschlagen.'],
    check: all(suggests(edited(contract, ['$4,000', '$4,200'], ['one year', 'two years'])), changeCount(2), stillOpen),
  },
  {
    id: 'only-bens',
    document: contract,
    review: [fee, term],
    ask: "do what Ben wants; Chloé's comment we still have to discuss",
    script: [call('read_comments', { author: 'Ben' }), edit('$4,000', '$4,200'), '- $4,000 → $4,200'],
    check: all(becomes(edited(contract, ['$4,000', '$4,200'])), stillOpen),
  },
  {
    id: 'carry-out-and-resolve',
    document: contract,
    review: [fee, term],
    ask: "apply Ben's comment and tick it off",
    script: [call('read_comments', { author: 'Ben' }), edit('$4,000', '$4,200'), firstThread, '- done, resolved'],
    check: all(becomes(edited(contract, ['$4,000', '$4,200'])), onlyResolved('Ben')),
  },
  {
    id: 'carry-out-and-say-so',
    document: contract,
    review: [term],
    ask: 'do what Chloé asks for and let her know in the thread',
    script: [
      readThem,
      edit('one year', 'two years'),
      (results) => {
        const commentId = capture(results, /Thread ([\w-]+),/)
        return call('reply_to_comment', { commentId, text: 'Done: it is two years now.' })
      },
      '- two years, answered',
    ],
    check: all(
      becomes(edited(contract, ['one year', 'two years'])),
      commentCount(0),
      that('there is no answer in the thread', ({ after }) => after.threads[0]?.comments.length === 2),
    ),
  },
  {
    id: 'paragraph-can-go',
    document: club,
    review: [room],
    ask: "there's a comment about the room, act on it",
    script: [readThem, call('delete_blocks', { block: 2 }), '- removed the paragraph about the room'],
    check: becomes(edited(club, ['The room is upstairs, next to the bar.\n\n', ''])),
  },
  {
    id: 'comment-on-a-cell',
    document: prices,
    review: [by('Ana', 'Cocoa', 'We have 12 of these again.')],
    ask: 'update the table from the comment',
    script: [
      readThem,
      call('edit_table', { block: 4, operation: 'set_cell', column: 'Stock', cells: ['12'] }),
      '- Cocoa: 12 in stock',
    ],
    check: becomes(edited(prices, ['| Cocoa | 4 | 0 |', '| Cocoa | 4 | 12 |'])),
  },
  {
    id: 'comment-asks-for-more',
    document: recipe,
    review: [by('Ana', 'salt and pepper', 'Nutmeg is missing as well.')],
    ask: 'ergänze, was im Kommentar steht',
    script: [readThem, insertAfter('salt and pepper', '- nutmeg'), '- Muskat ergänzt'],
    check: becomes(
      ...['nutmeg', 'Nutmeg'].map((word) => edited(recipe, ['pepper\n', `pepper\n- ${word}\n`])),
      edited(recipe, ['salt and pepper', 'salt, pepper and nutmeg']),
    ),
  },
  {
    id: 'suggest-what-they-ask',
    document: contract,
    review: [fee],
    ask: "make a suggestion out of Ben's comment, don't change the text itself",
    script: [readThem, call('suggest_replacement', { find: '$4,000', replace: '$4,200' }), 'Suggested $4,200.'],
    check: all(suggests(edited(contract, ['$4,000', '$4,200'])), changeCount(1), stillOpen),
  },
  {
    id: 'review-in-german',
    document: contract,
    ask: 'Prüf Abschnitt 4 auf Unklarheiten. Nur Kommentare, bitte nichts ändern!',
    script: [
      read,
      comment('renews automatically', 'Um wie lange verlängert er sich, und wann kann man kündigen?'),
      'Ein Kommentar zu Abschnitt 4.',
    ],
    wrong: [edit('renews automatically', 'renews automatically for one year'), 'Geändert.'],
    check: all(untouched, commentCount(1, 4), comments('renews automatically')),
  },
  {
    id: 'summarize-who-wants-what',
    document: contract,
    review: [fee, term],
    ask: 'qui veut quoi dans les commentaires ?',
    script: [readThem, 'Ben veut 4 200 $ ($4,200), Chloé veut deux ans.'],
    wrong: [readThem, [edit('$4,000', '$4,200')], 'Ben: 4,200, Chloé: two'],
    check: all(
      untouched,
      that('the answer lacks who wants what', ({ answer }) => /Ben/.test(answer) && /Chloé/.test(answer)),
    ),
  },
])
