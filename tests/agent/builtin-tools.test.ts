import { randomUUID } from 'node:crypto'
import type { Run, Thread } from '@copydesk/protocol'
import * as Y from 'yjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '@copydesk/testing'
import { blockTexts, ended, join, signIn, type TestPeer, type TestPerson, textIn } from '../support/client.ts'
import { type Copydesk, startCopydesk } from '../support/copydesk.ts'

let server: Copydesk
let ana: TestPerson

beforeAll(async () => {
  server = await startCopydesk()
  ana = await signIn(server.url, 'Ana')
})
afterAll(() => server.dispose())

type Opened = { id: string; peer: TestPeer; ask: (text: string, more?: object) => Promise<Run> }

const notes = `# Trip

teh cat saw teh dog. Tehran is far.

## Costs

We pay very much.

## Goals

milk, bread, eggs
`

async function open(markdown = notes): Promise<Opened> {
  const { id } = await ana.create({ markdown })
  const peer = await join(server.url, ana.token, id)
  const ask = async (text: string, more: object = {}): Promise<Run> => {
    const { run } = (await ana.call<{ run: Run }>('POST', `/api/documents/${id}/messages`, { text, ...more })).body
    return run
  }
  return { id, peer, ask }
}

async function say({ peer, ask }: Opened, text: string, more: object = {}): Promise<Run> {
  return ended(peer, (await ask(text, more)).id)
}

const toolsOf = (run: Run): string[] => run.steps.map(({ tool }) => tool)

const suggestions = 'These are suggestions: accept or reject them in the text.'

test('"undo that" takes back what was asked last, and says so when there is nothing left', async () => {
  const opened = await open()
  await say(opened, 'replace teh with the everywhere')
  const undone = await say(opened, 'undo that')
  expect(undone).toMatchObject({ answer: '- undid what you asked with “replace teh with the everywhere”' })
  expect(blockTexts(opened.peer.fragment)).toContain('teh cat saw teh dog. Tehran is far.')
  expect((await say(opened, 'undo that')).answer).toBe('There is nothing of mine to undo.')
})

test.each([
  ['replace teh with the everywhere', '- teh → the (2×)', 'the cat saw the dog. Tehran is far.'],
  ['replace all teh with "the one"', '- teh → the one (2×)', 'the one cat saw the one dog. Tehran is far.'],
  ['make teh bold', '- made “teh” bold (2×)', '**teh** cat saw **teh** dog. Tehran is far.'],
  ['italicise the first teh', '- made “teh” italic', '*teh* cat saw teh dog. Tehran is far.'],
  ['link dog to https://example.org', '- made “dog” a link', 'saw teh [dog](https://example.org). Tehran'],
  ['make "We pay very much." a quote', '- made “We pay very much.” a quote', '> We pay very much.'],
  ['make Costs a heading 3', '- made “Costs” a heading', '### Costs'],
  ['make "milk, bread, eggs" a list', '- made “milk, bread, eggs” a list', '- milk, bread, eggs'],
])('%s', async (instruction, answer, markdown) => {
  const opened = await open()
  const run = await say(opened, instruction)
  expect(run).toMatchObject({ status: 'completed', answer })
  expect(await ana.markdown(opened.id)).toContain(markdown)
  opened.peer.close()
})

test('"everywhere" is one call, however many places there are', async () => {
  const lines = Array.from({ length: 30 }, (_, n) => `teh ${n}`)
  const opened = await open(lines.join('\n\n'))
  const run = await say(opened, 'replace teh with the everywhere')
  expect(run.answer).toBe('- teh → the (30×)')
  expect(toolsOf(run).filter((tool) => tool === 'replace_text' || tool === 'edit_document')).toEqual(['replace_text'])
  opened.peer.close()
})

test('formatting inside of a text and parts of other words do not matter', async () => {
  const opened = await open('A very **good** cat, a category, a [very *good*](https://example.org) dog and 5 \\* 3.')
  const talk = [
    ['replace "very good" with "fine"', '- very good → fine (2×)'],
    ['replace cat with cow everywhere', '- cat → cow'],
    ['delete "5 * 3"', '- deleted “5 * 3”'],
  ]
  for (const [instruction = '', answer] of talk) expect((await say(opened, instruction)).answer).toBe(answer)
  expect(blockTexts(opened.peer.fragment)).toEqual(['A fine cow, a category, a fine dog and .'])
  opened.peer.close()
})

test.each([
  ['replace cat with dog', /only a part of other words/],
  ['add examples after the first paragraph', /^I add only a text that you quote/],
  ["make all 'TODO' items bold", /^I do not know which text/],
  ['write "X" first', /^I do not know the place “first”/],
  ['comment on notes: too many', /is there 2 times/],
])('what is not surely understood changes nothing: %s', async (instruction, answer) => {
  const markdown = 'The category TODO: notes of the first paragraph.\n\nTODO items are notes.\n'
  const opened = await open(markdown)
  const run = await say(opened, instruction)
  expect(run).toMatchObject({ status: 'completed', answer: expect.stringMatching(answer) as string })
  expect(await ana.markdown(opened.id)).toBe(markdown)
  opened.peer.close()
})

test.each([
  ['delete the section Costs', '- deleted the section “Costs”', ['Trip', 'Goals']],
  ['delete the goals section', '- deleted the section “Goals”', ['Trip', 'Costs']],
  ['remove the last section', '- deleted the section “Goals”', ['Trip', 'Costs']],
  ['delete section 1', '- deleted the section “Costs”', ['Trip', 'Goals']],
  ['delete the section Plans', 'There is no section “Plans”. I have changed nothing.', ['Trip', 'Costs', 'Goals']],
  [
    'delete section 0',
    "- Not changed: Section 0, which holds the title, can't be deleted.",
    ['Trip', 'Costs', 'Goals'],
  ],
])('%s', async (instruction, answer, headings) => {
  const opened = await open()
  const run = await say(opened, instruction)
  expect(run).toMatchObject({ status: 'completed', answer })
  const markdown = await ana.markdown(opened.id)
  expect([...markdown.matchAll(/^#+ (.*)$/gm)].map((match) => match[1])).toEqual(headings)
  opened.peer.close()
})

test('a text that looks like the beginning of a section deletes none', async () => {
  const opened = await open('# A\n\n=== Section 1: Costs ===\n\n## Keep\n\nx\n\n## Costs\n\ny')
  const before = await ana.markdown(opened.id)
  const run = await say(opened, 'delete the section Costs')
  const after = await ana.markdown(opened.id)
  expect(after).toContain('## Keep')
  expect(after === before || run.answer === '- deleted the section “Costs”').toBe(true)
  opened.peer.close()
})

function selecting(peer: TestPeer, from: number, to: number): object {
  const text = textIn(peer.fragment, 1)
  const at = (index: number): string => {
    return Buffer.from(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, index))).toString('base64')
  }
  return { selection: { anchor: at(from), head: at(to) } }
}

// The second "teh" is selected, from 12 to 15.
test.each([
  ['make this bold', '- made “teh” bold', 'teh cat saw **teh** dog.'],
  ['replace this with the', '- teh → the', 'teh cat saw the dog.'],
  ['delete this', '- deleted “teh”', 'teh cat saw  dog.'],
  ['add " old" here', '- added “old”', 'teh cat saw teh old dog.'],
  ['make the selected text a heading', '- made “teh” a heading', '## teh cat saw teh dog.'],
  ['make this a list', '- made “teh” a list', '- teh cat saw teh dog.'],
])('with a selection: %s', async (instruction, answer, markdown) => {
  const opened = await open()
  const run = await say(opened, instruction, selecting(opened.peer, 12, 15))
  expect(run).toMatchObject({ status: 'completed', answer })
  expect(await ana.markdown(opened.id)).toContain(markdown)
  opened.peer.close()
})

test('with a selection: comments, suggestions, highlights and the view are about it', async () => {
  const opened = await open()
  const selection = selecting(opened.peer, 12, 15)
  const answers = [
    ['comment on this: why twice?', '- commented on “teh”'],
    ['add a comment: a typo.', '- commented on “teh”'],
    ['highlight this', '- highlighted “teh”'],
    ['suggest replacing this with the', `- suggested “teh” → “the”\n${suggestions}`],
  ]
  for (const [instruction = '', answer] of answers)
    expect((await say(opened, instruction, selection)).answer).toBe(answer)
  expect((await say(opened, 'what comments are there?')).answer).toBe(
    '- on “teh”: Agent: “why twice?”\n- on “teh”: Agent: “a typo.”',
  )
  const accepted = await say(opened, 'accept all suggestions')
  expect(accepted.answer).toBe('- accepted all suggestions')
  expect(blockTexts(opened.peer.fragment)[1]).toBe('teh cat saw the dog. Tehran is far.')
  opened.peer.close()
})

test('comments are made, listed, answered and resolved in plain words', async () => {
  const opened = await open()
  const talk = [
    ['what comments are there?', 'There are no comments.'],
    ['comment on dog: which one?', '- commented on “dog”'],
    ['leave a comment on "very much" saying how much', '- commented on “very much”'],
    ['add a comment "too far" on Tehran', '- commented on “Tehran”'],
    ['reply to the comment on dog: the brown one.', '- replied “the brown one.”'],
    ['resolve the comment', 'There are 3 open comments. Say which, by the text that it is on.'],
    ['resolve the comment on Tehran', '- resolved the comment'],
    [
      'show the open comments',
      '- on “dog”: Agent: “which one?” · Agent: “the brown one.”\n- on “very much”: Agent: “how much”',
    ],
    ['resolve all comments', '- resolved the comment (2×)'],
    ['any open comments?', 'There are no open comments.'],
  ]
  for (const [instruction = '', answer] of talk) expect((await say(opened, instruction)).answer).toBe(answer)
  opened.peer.close()
})

test('suggestions are made, listed and decided on in plain words, and all only when all is said', async () => {
  const opened = await open()
  const talk = [
    ['suggest replacing teh with the', `- suggested “teh” → “the” (2×)\n${suggestions}`],
    ['suggest deleting "very much"', `- suggested deleting “very much”\n${suggestions}`],
    ['reject the suggestion', /^I reject all suggestions at once if you say so; a single one you decide in the text\./],
    ['Ben wants to reject all suggestions. delete recieve', /did not find “recieve”/],
    ['what suggestions are there?', /^(?:- Agent: .*\n?){3}$/],
    ['reject all suggestions', '- rejected all suggestions'],
    ['what suggestions are there?', 'There are no suggestions.'],
    ['accept all suggestions', 'There are no suggestions.'],
  ]
  const before = await ana.markdown(opened.id)
  for (const [instruction, answer] of talk) {
    const run = await say(opened, String(instruction))
    expect(run.answer, String(instruction)).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
  }
  expect(await ana.markdown(opened.id)).toBe(before)
  opened.peer.close()
})

test.each([
  ['replace teh with the everywhere', `- teh → the (2×)\n${suggestions}`],
  ['make dog bold', `- made “dog” bold\n${suggestions}`],
  ['delete the section Costs', `- deleted the section “Costs”\n${suggestions}`],
  ['add "x" at the end', `- added “x”\n${suggestions}`],
])('in mode suggest: %s', async (instruction, answer) => {
  const opened = await open()
  const before = await ana.markdown(opened.id)
  expect(await say(opened, instruction, { mode: 'suggest' })).toMatchObject({ status: 'completed', answer })
  expect(await ana.markdown(opened.id)).toBe(before)
  opened.peer.close()
})

test.each([
  ['replace teh with the everywhere', { searchText: 'teh', newText: 'a', wholeWord: true }, /^- .*"a"/],
  [
    'make dog bold',
    { target: { type: 'text', value: 'cat' }, format: { type: 'italic' } },
    '- Formatted "cat": italic.',
  ],
  ['delete the section Costs', { operation: 'delete', sectionIndex: 2 }, /^- .*Goals/],
])(
  '[APP-4] in mode ask it tells what was carried out, not what it proposed: %s',
  async (instruction, given, answer) => {
    const { id, peer, ask } = await open()
    const run = await ask(instruction, { mode: 'ask' })
    const shown = (): Run | undefined => peer.runs().find((each) => each.id === run.id)
    await until(() => shown()?.status === 'awaiting_approval', 'the run waits')
    const step = shown()?.steps.find(({ status }) => status === 'awaiting_approval')
    const path = `/api/documents/${id}/runs/${run.id}/approvals/${step?.id}`
    await ana.call('POST', path, { decision: 'approve', arguments: given })
    const done = await ended(peer, run.id)
    expect(done.answer).toEqual(typeof answer === 'string' ? answer : expect.stringMatching(answer))
    expect(done.answer).not.toMatch(/\[\d+\]/)
    peer.close()
  },
)

test.each([
  ['highlight dog', '- highlighted “dog”', ['search_document', 'highlight_text']],
  ['make this bold', /^I do not know which text “this” is/, []],
])('%s', async (instruction, answer, tools) => {
  const opened = await open()
  const run = await say(opened, instruction)
  expect(run.answer).toEqual(typeof answer === 'string' ? answer : expect.stringMatching(answer))
  expect(toolsOf(run)).toEqual(tools)
  opened.peer.close()
})

test('[APP-9] after Continue a run continues its original instruction', async () => {
  const short = await startCopydesk({ AGENT_MAX_ROUNDS: '1' })
  try {
    const person = await signIn(short.url, 'Ana')
    const { id } = await person.create({ markdown: 'teh cat' })
    const peer = await join(short.url, person.token, id)
    const { run } = await person.ask(id, 'replace teh with the')
    expect((await ended(peer, run.id)).status).toBe('limit_reached')
    const shown = (): Run | undefined => peer.runs().find((each) => each.id === run.id)
    for (const rounds of [2, 3]) {
      await person.call('POST', `/api/documents/${id}/runs/${run.id}/continue`)
      await until(() => shown()?.rounds === rounds && shown()?.endedAt !== undefined, `it ends after ${rounds} rounds`)
      expect(blockTexts(peer.fragment)).toEqual(['the cat'])
    }
    expect(shown()?.status).toBe('completed')
    expect((await person.run(id, run.id)).answer).toContain('- teh → the')
    peer.close()
  } finally {
    await short.dispose()
  }
})

test('[REV-8] in a comment, "this" is the text that the comment is on; the answer is a reply', async () => {
  const { id, peer } = await open()
  const thread = { quote: 'very much', text: '@agent replace this with "a lot"' }
  await ana.call('POST', `/api/documents/${id}/threads`, thread)
  await until(() => peer.runs().length === 1, 'the run shows')
  const run = await ended(peer, peer.runs()[0]!.id)
  expect(run).toMatchObject({ status: 'completed', answer: '- very much → a lot' })
  expect(blockTexts(peer.fragment)[3]).toBe('We pay a lot.')
  const { threads } = (await ana.call<{ threads: Thread[] }>('GET', `/api/documents/${id}/threads`)).body
  expect(threads[0]?.comments.at(-1)).toMatchObject({ text: run.answer, author: { kind: 'agent' } })
  peer.close()
})

test.each([
  ['make teh bold', '- made “teh” bold (2×)'],
  ['suggest replacing teh with the', `- suggested “teh” → “the” (2×)\n${suggestions}`],
  ['replace teh with the everywhere', '- teh → the (2×)'],
  ['add " so far" after "very much"', '- added “so far”'],
  ['add "x" after "teh"', '- Not changed: "teh" occurs 2 times.'],
])('[RUN-3] [RUN-28] a mention in the text is a request, which stays as it is: %s', async (instruction, answer) => {
  const { id, peer } = await open()
  mention(peer, 'agent', 'agent', instruction)
  await until(() => peer.runs().length === 1, 'the run shows')
  expect(await ended(peer, peer.runs()[0]!.id)).toMatchObject({ status: 'completed', answer })
  expect((await ana.markdown(id)).trimEnd().split('\n').at(-1)).toBe(`@agent ${instruction}`)
  peer.close()
})

test('[RUN-28] [AGENT-4] the request to a named agent is no match of its own words either', async () => {
  const made = await ana.call<{ id: string }>('POST', '/api/agents', { handle: 'editor', name: 'E', color: '#2f5d50' })
  const { id, peer } = await open()
  mention(peer, made.body.id, 'editor', 'replace teh with the everywhere')
  await until(() => peer.runs().length === 1, 'the run shows')
  expect(await ended(peer, peer.runs()[0]!.id)).toMatchObject({ status: 'completed', answer: '- teh → the (2×)' })
  expect((await ana.markdown(id)).trimEnd().split('\n').at(-1)).toBe('@editor replace teh with the everywhere')
  peer.close()
})

/** Writes a paragraph at the end that asks an agent. */
function mention(peer: Awaited<ReturnType<typeof open>>['peer'], id: string, label: string, instruction: string): void {
  const attributes = { id, label, kind: 'agent', requestId: randomUUID(), state: 'sent' }
  peer.doc.transact(() => {
    const block = new Y.XmlElement('paragraph')
    const element = new Y.XmlElement('mention')
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    block.insert(0, [element, new Y.XmlText(` ${instruction}`)])
    peer.fragment.push([block])
  })
}

test('[LANG-10] a visitor without an account says the language of their interface, and is answered in it', async () => {
  const opened = await open()
  expect((await ana.call('PATCH', '/api/me', { language: 'tlh' })).status).toBe(400)
  expect((await ana.call<{ language: unknown }>('GET', '/api/me')).body.language).toBe(null)
  expect((await ana.call('PATCH', '/api/me', { language: 'de' })).status).toBe(200)
  expect((await ana.call<{ language: unknown }>('GET', '/api/me')).body.language).toBe('de')
  expect((await say(opened, '?')).answer).toMatch(/^Ich bin der eingebaute Agent/)
  expect((await say(opened, 'what can you do')).answer).toMatch(/^I am the built-in agent/)
  await ana.call('PATCH', '/api/me', { language: 'en' })
})
