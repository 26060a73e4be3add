import { describe, expect, test } from 'vitest'
import { parseCommand } from './grammar.ts'
import { nextMove } from './plan.ts'
import type { Move } from './plan.ts'

const nothingDone = {
  instruction: '',
  selection: undefined,
  made: [],
  isSuggesting: false,
  language: 'en' as const,
}

function firstMove(instruction: string, selection?: string): Move {
  return nextMove(parseCommand(instruction, selection).plan, nothingDone)
}

/** The answer to what is declined at once, before any tool was called. */
function answerTo(instruction: string): string {
  const move = firstMove(instruction)
  return 'text' in move ? move.text : `calls ${move.calls.map(({ name }) => name).join(', ')}`
}

describe('what is not surely understood is declined in two lines, with three examples, and nothing is called', () => {
  test.each([
    // Positions without an object, and content that is described instead of dictated.
    'add bullet points here',
    'write "X" first',
    'write X first',
    'write the summary first',
    'put a table here',
    'add three ideas below',
    'add examples after the first paragraph',
    'insert a joke before the heading',
    'add "X" after the first paragraph',
    'add "X" as a last paragraph',
    'add "X" to the list',
    'put "even better" in red',
    'append examples',
    'append a summary',
    'add a heading about costs',
    'Add action item: Ben orders lunch',
    'insert the image https://example.com/soup.jpg at the end of the notes',
    'suggest adding "X" after "Y"',
    'go to the section Costs',
    'fix the typo recieve',
    'read',
    // Quantifiers and kinds.
    "make all 'TODO' items bold",
    'make all TODO items bold',
    'make all headings bold',
    'make every second word italic',
    'make everything bold',
    'highlight every price in the table',
    'delete all comments',
    'delete numbers',
    'remove empty lines',
    'replace commas with semicolons',
    'underline some words',
    'comment on every price: check it',
    // Descriptions of a text, and parts of the document.
    'replace the boring parts',
    'replace the boring parts with jokes',
    'delete the introduction',
    'delete the paragraph about penalties',
    'delete the last paragraph',
    'delete what Ben wrote',
    'make the title bigger',
    'make the title bold',
    'make paragraph 2 bold',
    'change the price to $500k',
    'change the amount',
    'comment on the second paragraph: too long',
    'go to the end',
    'change cat to bold',
    'replace cat with something better',
    'replace cat with a synonym',
    'turn cat into uppercase',
    'turn this paragraph into German',
    'swap cat and dog',
    'swap cat with dog',
    'suggest improvements for cat',
    'reply to the comment with a joke',
    'accept all of this',
    "accept Ana's suggestions",
    'cat -> dog -> cow',
    'make a list',
    'replace cat with dog twice',
    'replace cat with dog here',
    'replace cat with dog and save it',
    'delete cat here',
    'delete the heading "Costs"',
    'cut it down',
    'find and replace cat with dog',
    'replace cat with dog in the second paragraph',
    'replace cat with dog, but not in quotes',
    // Several things in one sentence, and what is not to be done.
    'make cat and dog bold',
    'make cat bold and italic',
    'delete cat and add "dog" at the end',
    'replace cat with dog. Then delete the table',
    'do not delete cat',
    'Do not do this yet. delete cat',
    'If it fits, shorten it. delete cat',
    'replace the cat. delete dog',
    'the handbook moved -> update the link',
    'dance',
    'make it better',
  ])('%s', (instruction) => {
    const answer = answerTo(instruction)
    expect(answer).toMatch(/^.+ I have changed nothing\.\nYou can say: [^·\n]+ · [^·\n]+ · [^·\n]+$/)
    const examples = answer.split('You can say: ')[1]?.split(' · ') ?? []
    for (const example of examples) expect(parseCommand(example, 'cat').kind, example).not.toBe('declined')
  })

  test('the examples hold what was quoted, and fit what was said', () => {
    expect(answerTo('make all "TODO" items bold')).toContain('make "TODO" bold')
    expect(answerTo('add bullet points here')).toContain('add "some words" here')
    expect(answerTo('please remove the comment of Ben')).toContain('resolve all comments')
  })
})

test.each([
  [
    'a section by a part of its title',
    'delete the section Cost',
    '1 section\n\n=== Section 0: Costs ===\nx',
    'get_document',
  ],
  ['a text that is only a part of words', 'replace he with she', '1 match\n[0] the', 'search_document'],
  ['a number that is only a part of a number', 'change $4 to $5', '1 match\n[0] pay $4,000', 'search_document'],
  ['a comment on one of several places', 'comment on cat: why?', '2 matches\n[0] cat\n[1] cat', 'search_document'],
])('nothing is changed: %s', (_, instruction, text, tool) => {
  const first = firstMove(instruction)
  const calls = 'calls' in first ? first.calls : []
  expect(calls.map(({ name }) => name)).toEqual([tool])
  const made = calls.map((call) => {
    const result = { role: 'tool' as const, callId: 'c1', name: call.name, text, isError: false }
    return { call: { id: 'c1', ...call }, result }
  })
  const move = nextMove(parseCommand(instruction).plan, { ...nothingDone, made })
  expect(move).toEqual({ text: expect.stringContaining('I have changed nothing.') as string })
})

test('with a selection all comments are meant where all are said', () => {
  const thread = (id: string) => `Thread ${id}, open, in block [1]: "dog"\nAna (comment c):\n> why`
  const text = `2 comment threads:\n\n${thread('t1')}\n\n${thread('t2')}`
  const call = { id: 'c1', name: 'read_comments', arguments: { resolved: false } }
  const made = [{ call, result: { role: 'tool' as const, callId: 'c1', name: call.name, text, isError: false } }]
  const move = nextMove(parseCommand('resolve all comments', 'cat').plan, { ...nothingDone, made })
  expect(move).toMatchObject({ calls: [{ arguments: { commentId: 't1' } }, { arguments: { commentId: 't2' } }] })
})
