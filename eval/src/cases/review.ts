import {
  all,
  answers,
  answersOnly,
  becomes,
  changeCount,
  commentCount,
  comments,
  suggests,
  that,
  untouched,
  uses,
} from '../checks.ts'
import { contract, edited, essay, recipe, report } from '../documents.ts'
import { inGroup, type ReviewStep, type ScriptStep } from '../eval-case.ts'
import { call, capture, comment, edit, read } from '../scripting.ts'

const legalReview = [
  comment('is limited to $100k', 'The cap of $100k may be too low for the fees at stake.'),
  comment('including damage caused intentionally', 'Liability for intent can not be excluded.'),
]

const benAsks: ReviewStep = { by: 'Ben', ...comment('$4,000', 'Wasn’t that $4,200?') }
const chloeAsks: ReviewStep = { by: 'Chloé', ...comment('one year', 'Two years would be better.') }

function suggestion(by: string, search: string, replaceWith: string): ReviewStep {
  return { by, ...call('suggest_replacement', { search, replaceWith }) }
}

const benSuggests = suggestion('Ben', '$4,000', '$4,200')
const chloeSuggests = suggestion('Chloé', 'one year', 'two years')

const resolveFirst: ScriptStep = (results) => {
  return call('resolve_comment', { commentId: capture(results, /Thread ([\w-]+),/) })
}

/** Comments and other people's suggestions. */
export const review = inGroup('review', [
  {
    id: 'legal-issues',
    document: contract,
    ask: 'review section 3 for legal issues',
    script: [read, legalReview, 'Two comments on section 3.'],
    wrong: [edit('$100k', '$1m'), legalReview, 'Two comments on section 3.'],
    check: all(untouched, commentCount(1, 6), comments('damage caused intentionally')),
  },
  {
    id: 'then-fix-first',
    document: contract,
    earlier: [
      {
        ask: 'review section 3 for legal issues',
        script: [read, legalReview, '- The cap of $100k may be too low.\n- Liability for intent can not be excluded.'],
      },
    ],
    ask: 'fix the first one, change it to $500k',
    script: [
      call('read_comments'),
      call('suggest_replacement', { search: '$100k', replaceWith: '$500k' }),
      'I suggested $500k.',
    ],
    check: all(suggests(edited(contract, ['$100k', '$500k'])), changeCount(1), commentCount(1, 6)),
  },
  {
    id: 'comment-on-text',
    document: essay,
    ask: 'leave a comment on "Studies show" that we need a source',
    script: [comment('Studies show', 'We need a source.'), 'Commented.'],
    wrong: [edit('Studies show', 'Studies [source] show'), comment('Studies show', 'We need a source.'), 'Commented.'],
    check: all(
      untouched,
      commentCount(1),
      comments('Studies show'),
      that('the comment does not ask for a source', ({ after }) => {
        return after.threads.some(({ comments: said }) => said.some(({ text }) => /source/i.test(text)))
      }),
    ),
  },
  {
    id: 'comment-on-selection',
    document: recipe,
    selection: '20 minutes',
    ask: 'comment here: too short for a big pumpkin?',
    script: [call('add_comment', { selection: true, text: 'Too short for a big pumpkin?' }), 'Commented.'],
    wrong: [edit('20 minutes', '20 minutes (too short?)'), 'Commented.'],
    check: all(untouched, commentCount(1), comments('20 minutes')),
  },
  {
    id: 'comment-each-number',
    document: essay,
    ask: 'put a comment on every price asking to check it',
    script: [
      read,
      [comment('300 euros', 'Please check this price.'), comment('20,000 euros', 'Please check this price.')],
      'Two comments.',
    ],
    wrong: [edit('300 euros', '350 euros'), 'Two comments.'],
    check: all(untouched, commentCount(2), comments('300 euros', '20,000 euros')),
  },
  {
    id: 'typos-as-comments',
    document: report,
    ask: 'check the Sales section for typos but only comment, I want to fix them myself',
    script: [
      read,
      [comment('previus', 'Should be "previous".'), comment('The the', 'Doubled word.')],
      'Two comments in Sales.',
    ],
    wrong: [edit('previus', 'previous'), [comment('The the', 'Doubled word.')], 'Done.'],
    check: all(untouched, comments('previus', 'The the'), commentCount(2, 3)),
  },
  {
    id: 'what-did-ben-say',
    document: contract,
    review: [benAsks, chloeAsks],
    ask: 'what did Ben comment?',
    script: [call('read_comments', { author: 'Ben' }), 'Ben asks whether the fee was $4,200.'],
    wrong: [edit('$4,000', '$4,200'), 'Ben asks whether the fee was $4,200.'],
    check: answersOnly('4,200'),
  },
  {
    id: 'reply',
    document: contract,
    review: [benAsks],
    ask: "answer Ben's comment: no, $4,000 is right",
    script: [
      call('read_comments'),
      (results) => {
        return call('reply_to_comment', {
          commentId: capture(results, /Thread ([\w-]+),/),
          text: 'No, $4,000 is right.',
        })
      },
      'Replied.',
    ],
    wrong: [comment('$4,000', 'No, $4,000 is right.'), 'Replied.'],
    check: all(
      untouched,
      commentCount(0),
      that('the reply is not in the thread', ({ after }) => {
        return after.threads[0]?.comments.length === 2 && /4,000/.test(after.threads[0].comments[1]?.text ?? '')
      }),
    ),
  },
  {
    id: 'resolve',
    document: contract,
    review: [benAsks, chloeAsks],
    ask: "mark Ben's comment as resolved",
    script: [call('read_comments', { author: 'Ben' }), resolveFirst, 'Resolved.'],
    wrong: ['Resolved.'],
    check: all(
      untouched,
      that("not exactly Ben's thread is resolved", ({ after }) => {
        return after.threads.every(({ resolved, comments: said }) => resolved === (said[0]?.author === 'Ben'))
      }),
    ),
  },
  {
    id: 'do-what-comment-says',
    document: contract,
    review: [chloeAsks],
    ask: "please do what Chloé's comment asks for",
    script: [
      call('read_comments'),
      call('suggest_replacement', { search: 'one year', replaceWith: 'two years' }),
      'I suggested two years.',
    ],
    check: all(suggests(edited(contract, ['one year', 'two years'])), commentCount(0)),
  },
  {
    id: 'accept-all',
    document: contract,
    review: [benSuggests, chloeSuggests],
    ask: 'accept all suggestions',
    script: [call('decide_change', { all: true, decision: 'accept' }), 'Accepted both.'],
    check: becomes(edited(contract, ['$4,000', '$4,200'], ['one year', 'two years'])),
  },
  {
    id: 'reject-one',
    document: contract,
    review: [benSuggests, chloeSuggests],
    ask: "reject Ben's suggestion, keep the other one open",
    script: [
      call('read_changes', { author: 'Ben' }),
      (results) => {
        return call('decide_change', { changeId: capture(results, /^- ([\w-]+): \w+ in block/m), decision: 'reject' })
      },
      'Rejected.',
    ],
    check: all(suggests(edited(contract, ['one year', 'two years'])), changeCount(1)),
  },
  {
    id: 'what-is-suggested',
    document: contract,
    review: [benSuggests],
    ask: 'who suggested what?',
    script: [call('read_changes'), 'Ben suggests $4,200 instead of $4,000.'],
    wrong: [call('decide_change', { all: true, decision: 'accept' }), 'Ben suggests $4,200 instead of $4,000.'],
    check: all(untouched, answers('Ben', '4,200')),
  },
  {
    id: 'show-me',
    document: essay,
    ask: 'where do we talk about heart disease? show me',
    script: [
      call('search_document', { query: 'heart disease' }),
      call('highlight_text', { search: 'heart disease' }),
      'In Health.',
    ],
    wrong: [
      call('apply_formatting', { target: { type: 'text', value: 'heart disease' }, format: { type: 'highlight' } }),
      'In Health.',
    ],
    check: all(untouched, uses('highlight_text', 'scroll_to')),
  },
])
