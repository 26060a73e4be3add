import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseCommand } from './grammar.ts'

/** A command with its named words as properties, where they were said. */
function read(instruction: string, selection?: string): object {
  const { word, unsure, ...command } = parseCommand(instruction, selection)
  const names = ['format', 'many', 'verb']
  const reason = unsure && { text: unsure('en') }
  return { ...Object.fromEntries(names.map((name) => [name, word?.(name)])), ...command, ...reason }
}

const declinedScope = { kind: 'declined', text: expect.stringMatching(/says more than that/) as string }
const declinedTarget = { kind: 'declined', text: expect.stringMatching(/which text/) as string }

describe('what says more than it can do', () => {
  test.each([
    'replace cat with dog in the first paragraph',
    'replace cat with dog except in the table',
    'replace item one with item 1 and item two with item 2',
    'replace "cat" with "dog" in the second section',
    'replace cat with dog in block 1',
  ])('%s changes nothing and asks', (instruction) => {
    expect(read(instruction)).toMatchObject(declinedScope)
  })

  test('texts with such words in quotation marks are taken as they are', () => {
    expect(parseCommand('replace "cat" with "dog in the table"')).toMatchObject({ text: 'dog in the table' })
  })

  test('a text after a colon is taken as it is', () => {
    expect(parseCommand('replace this with: a dog, in the table.', 'cat')).toMatchObject({
      text: 'a dog, in the table.',
    })
    expect(parseCommand('append: examples of what we do')).toMatchObject({ text: 'examples of what we do' })
    expect(parseCommand('add a paragraph after "X": so it is')).toMatchObject({
      text: 'so it is',
      place: { anchor: 'X' },
    })
  })

  test('an empty quotation is an empty text', () => {
    expect(parseCommand('replace teh with ""')).toMatchObject({ kind: 'replace', target: { find: 'teh' }, text: '' })
  })

  test.each([': replace teh with the', 'Dear , please replace teh with the.', 'teh sentence. replace teh with the'])(
    'an instruction without its mention is understood: %s',
    (instruction) => {
      expect(parseCommand(instruction)).toMatchObject({ kind: 'replace', target: { find: 'teh' }, text: 'the' })
    },
  )
})

describe('what is understood', () => {
  test.each([
    ['make X underlined', { kind: 'format', format: 'underlined' }],
    ['remove the bold from X', { kind: 'unformat', format: 'bold', target: { find: 'X' } }],
    ['turn X into a code block', { kind: 'format', format: 'code block' }],
    ['link X to https://example.org/a', { kind: 'link', text: 'https://example.org/a' }],
    ['remove the highlight from X', { kind: 'unformat', format: 'highlight' }],
    ['delete the section "A and B"', { kind: 'dropSection', text: 'A and B' }],
    ['get rid of the last section', { kind: 'dropSection', text: 'last' }],
    ['delete this section', declinedTarget],
    ['comment on X: why? Really?', { kind: 'comment', target: { find: 'X' }, text: 'why? Really?' }],
    ['comment on X: this paragraph says "no", twice.', { kind: 'comment', text: 'this paragraph says "no", twice.' }],
    ['comment on the coffee with milk: too hot', { target: { find: 'the coffee with milk' }, text: 'too hot' }],
    ['comment on X: he is saying no', { target: { find: 'X' }, text: 'he is saying no' }],
    ['leave a comment on X saying that it: fits', { target: { find: 'X' }, text: 'it: fits' }],
    ['add a comment: why?', { kind: 'declined', text: expect.stringMatching(/^On what/) as string }],
    ['comment on the second paragraph: why?', declinedTarget],
    ['are there any open comments?', { kind: 'listComments' }],
    ['show me the comments', { kind: 'listComments' }],
    ['resolve all the comments', { kind: 'resolve', many: 's' }],
    ['reply to the comment: yes, we do.', { kind: 'reply', target: { find: '' }, text: 'yes, we do.' }],
    ['suggest changing "a" to "b"', { kind: 'suggest', target: { find: 'a' }, text: 'b' }],
    ['propose b instead of a', { kind: 'suggest', target: { find: 'a' }, text: 'b' }],
    [
      'suggest deleting the last X',
      { kind: 'suggest', target: { find: 'X', scope: { occurrence: 'last' } }, text: '' },
    ],
    ['what changes are there?', { kind: 'listChanges' }],
    ['approve all changes', { kind: 'decide', verb: 'approve' }],
    ['please reject every suggestion', { kind: 'decide', verb: 'reject' }],
    ['accept the change', { kind: 'declined', text: expect.stringMatching(/all suggestions at once/) as string }],
    ['reject all of them', { kind: 'decide', verb: 'reject' }],
    ['accept them', { kind: 'declined' }],
    ['Nice text. accept all suggestions', { kind: 'declined' }],
    ['replace cat with dog in the selection', declinedScope],
    ['replace cat with dog globally', { text: 'dog', target: { find: 'cat', scope: { everywhere: true } } }],
    ['replace cat with dog everywhere', { kind: 'replace', text: 'dog', target: { scope: { everywhere: true } } }],
  ])('%s', (instruction, command) => {
    expect(read(instruction)).toMatchObject(command)
  })

  test.each([
    ['make this bold', { kind: 'format', target: { isSelection: true } }],
    ['replace the selected text with b', { kind: 'replace', target: { find: 'cat', isSelection: true }, text: 'b' }],
    ['comment on this: why?', { kind: 'comment', target: { isSelection: true }, text: 'why?' }],
    ['comment: why?', { kind: 'comment', target: { find: 'cat', isSelection: true } }],
    ['suggest replacing this with b', { kind: 'suggest', target: { isSelection: true }, text: 'b' }],
    ['suggest deleting this', { kind: 'suggest', target: { isSelection: true }, text: '' }],
    ['highlight this', { kind: 'highlight', target: { isSelection: true } }],
    ['replace cat with dog', { kind: 'replace', target: { find: 'cat', isSelection: false } }],
    ['what is this document about?', { kind: 'outline' }],
  ])('with a selection: %s', (instruction, command) => {
    expect(read(instruction, 'cat')).toMatchObject(command)
  })
})

test('whatever docs/agent.md promises without a model is understood', () => {
  const page = readFileSync(new URL('../../../docs/agent.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| ["*]/.test(line))
  const phrases = rows.flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
  expect(phrases.length).toBeGreaterThan(45)
  for (const phrase of phrases) {
    expect(parseCommand(phrase, 'cat').kind, phrase).not.toMatch(/^(?:help|declined)$/)
  }
})

test.each([',', ', ', 'and ', ': ', '→', 'comment on ', 'durch ', 'bitte ', 'vor '])(
  'a long message full of "%s" takes no time',
  (piece) => {
    const started = performance.now()
    for (const start of [
      'replace a with b ',
      'add ',
      'comment on ',
      'suggest ',
      'ersetze a durch b ',
      'füge ',
      'schlage vor, ',
    ]) {
      parseCommand(start + piece.repeat(20_000 / piece.length), 'cat')
    }
    // With quadratic handling of commas these took more than ten seconds.
    expect(performance.now() - started).toBeLessThan(4_000)
  },
)

test.each([
  ['summarize the open comments for me', 'listComments'],
  ['give me an overview of the document', 'outline'],
  ['how many words are in the second section?', 'declined'],
  ['how long will it take?', 'declined'],
])('a question about one thing is not answered with another: %s', (instruction, kind) => {
  expect(parseCommand(instruction).kind).toBe(kind)
})
