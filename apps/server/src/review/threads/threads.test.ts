import type { Run, Session, Thread } from '@copydesk/protocol'
import { contentTypes, roomName, roomTypes } from '@copydesk/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { until } from '@copydesk/testing'
import { type ApiCaller, callApi } from '../../testing/call-api.ts'
import { startTestServer, type TestEditor, type TestServer } from '../../testing/test-server.ts'
import { changeFile, lockFile } from '../../testing/test-store.ts'

let server: TestServer
let ana: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.signIn('Ana')
  ben = await server.signIn('Ben')
})
afterAll(() => server.dispose())

type Scene = { id: string; asAna: ApiCaller; asBen: ApiCaller; editor: TestEditor; room: TestEditor }

async function openDocument(markdown: string): Promise<Scene> {
  const { id } = await server.create(ana, markdown)
  const editor = await server.join(ana.token, id)
  const room = await server.join(ben.token, roomName(id))
  const asAna = callApi(server.url, ana.token, id)
  return { id, asAna, asBen: callApi(server.url, ben.token, id), editor, room }
}

function threadsIn(room: TestEditor): Record<string, Thread> {
  return room.doc.getMap(roomTypes.threads).toJSON()
}

function fragmentOf(editor: TestEditor): Y.XmlFragment {
  return editor.doc.getXmlFragment(contentTypes.fragment)
}

/** The texts under a thread's mark. */
function markedText(editor: TestEditor, thread: string): string {
  const found: string[] = []
  const walk = (type: Y.XmlFragment): void => {
    for (const child of type.toArray()) {
      if (child instanceof Y.XmlElement) walk(child)
      if (!(child instanceof Y.XmlText)) continue
      for (const { insert, attributes } of child.toDelta() as {
        insert: string
        attributes?: Record<string, unknown>
      }[]) {
        const ids = Object.values(attributes ?? {}).map((value) => (value as { threadId?: string }).threadId)
        if (ids.includes(thread)) found.push(insert)
      }
    }
  }
  walk(fragmentOf(editor))
  return found.join('')
}

function textOf(editor: TestEditor, block: number): Y.XmlText {
  const element = fragmentOf(editor).get(block) as Y.XmlElement
  return element.get(0) as Y.XmlText
}

function selectionIn(text: Y.XmlText, from: number, to: number): { anchor: string; head: string } {
  const encode = (index: number): string =>
    Buffer.from(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, index))).toString('base64')
  return { anchor: encode(from), head: encode(to) }
}

test('[REV-1] a comment on a quote shows in the room and in the list, and its text is marked for everybody', async () => {
  const { asAna, asBen, editor, room } = await openDocument('The **quick** brown fox.\n')
  const started = await asAna<Thread>('POST', '/threads', { quote: 'quick brown', text: 'How quick?' })
  expect(started.status).toBe(201)
  const thread = started.body
  expect(thread).toMatchObject({ quote: 'quick brown', resolved: false, orphaned: false })
  expect(thread.comments).toMatchObject([
    { text: 'How quick?', author: { id: ana.user.id, name: 'Ana', kind: 'person' } },
  ])
  await until(() => markedText(editor, thread.id) === 'quick brown', 'the mark is there')
  await until(() => threadsIn(room)[thread.id] !== undefined, 'the room shows it')
  expect(threadsIn(room)[thread.id]).toEqual(thread)
  expect((await asBen<{ threads: Thread[] }>('GET', '/threads')).body.threads).toEqual([thread])
})

test('[REV-2] a selection wins over the quote; a quote that occurs twice is ambiguous without one', async () => {
  const { asAna, editor } = await openDocument('one two one\n')
  const twice = await asAna('POST', '/threads', { quote: 'one', text: 'Which?' })
  expect(twice.status).toBe(409)
  expect(twice.body.error).toMatchObject({ code: 'ambiguous' })
  expect(twice.body.error.message).toContain('2 times')
  const selection = selectionIn(textOf(editor, 0), 8, 11)
  const { status, body } = await asAna<Thread>('POST', '/threads', { quote: 'one', selection, text: 'This.' })
  expect(status).toBe(201)
  await until(() => markedText(editor, body.id) === 'one', 'the mark is there')
  expect(textOf(editor, 0).toDelta()[0].insert).toBe('one two ')
})

test.each([
  ['a quote that is not there', { quote: 'nowhere', text: 'x' }, 404, 'not_found'],
  ['neither quote nor selection', { text: 'x' }, 400, 'invalid_input'],
  ['an empty text', { quote: 'two', text: '  ' }, 400, 'invalid_input'],
  ['a text that is too long', { quote: 'two', text: 'x'.repeat(20_001) }, 400, 'invalid_input'],
  ['a selection that is none', { selection: { anchor: 'AAAA', head: '!!' }, text: 'x' }, 400, 'invalid_input'],
  ['a selection of bytes', { selection: { anchor: '////', head: '////' }, text: 'x' }, 400, 'invalid_input'],
  ['a number as quote', { quote: 3, text: 'x' }, 400, 'invalid_input'],
])('[REV-3] %s is refused and nothing is stored', async (_, body, status, code) => {
  const { id, asAna } = await openDocument('one two one\n')
  const rows = server.rows(id).length
  const answer = await asAna('POST', '/threads', body)
  expect(answer.status).toBe(status)
  expect(answer.body.error.code).toBe(code)
  expect((await asAna<{ threads: Thread[] }>('GET', '/threads')).body.threads).toEqual([])
  expect(server.rows(id)).toHaveLength(rows)
})

test('[REV-3] a selection in a deleted block is not found; of deleted text it means its block', async () => {
  const { asAna, editor } = await openDocument('one two one\n')
  const elsewhere = new Y.Doc()
  elsewhere.getXmlFragment('x').insert(0, [new Y.XmlText('abc')])
  const selection = selectionIn(elsewhere.getXmlFragment('x').get(0) as Y.XmlText, 0, 2)
  expect((await asAna('POST', '/threads', { selection, text: 'x' })).status).toBe(404)
  const gone = selectionIn(textOf(editor, 0), 0, 3)
  textOf(editor, 0).delete(0, 3)
  await editor.saved()
  const started = await asAna<Thread>('POST', '/threads', { selection: gone, text: 'x' })
  expect(started.body.quote).toBe(' two one')
})

test('[REV-3] a comment on too much text is refused, and of much text the beginning is quoted', async () => {
  const { asAna, editor } = await openDocument('word '.repeat(5000))
  const text = textOf(editor, 0)
  const all = await asAna('POST', '/threads', { selection: selectionIn(text, 0, 24_000), text: 'x' })
  expect(all.body.error.code).toBe('too_large')
  const part = await asAna<Thread>('POST', '/threads', { selection: selectionIn(text, 0, 10_000), text: 'x' })
  expect(part.body.quote).toHaveLength(2000)
  await until(() => markedText(editor, part.body.id).length === 10_000, 'all of it is marked')
})

test('[REV-4] replies, resolving and opening again show everywhere; others’ threads are not to be had', async () => {
  const { asAna, asBen, room } = await openDocument('Some text.\n')
  const { id: thread } = (await asAna<Thread>('POST', '/threads', { quote: 'text', text: 'First' })).body
  const replied = await asBen<Thread>('POST', `/threads/${thread}/comments`, { text: 'Second' })
  expect(replied.status).toBe(201)
  expect(replied.body.comments.map(({ author, text }) => `${author.name}: ${text}`)).toEqual([
    'Ana: First',
    'Ben: Second',
  ])
  expect((await asBen<Thread>('PATCH', `/threads/${thread}`, { resolved: true })).body.resolved).toBe(true)
  await until(() => threadsIn(room)[thread]?.resolved === true, 'it is resolved')
  expect((await asAna<Thread>('PATCH', `/threads/${thread}`, { resolved: false })).body.resolved).toBe(false)
  const other = await openDocument('Other.\n')
  expect((await other.asAna('POST', `/threads/${thread}/comments`, { text: 'x' })).status).toBe(404)
  expect((await other.asAna('PATCH', `/threads/${thread}`, { resolved: true })).status).toBe(404)
  expect((await asAna('PATCH', `/threads/${thread}`, { resolved: 'yes' })).status).toBe(400)
})

test('[REV-5] marks are written as the person and belong to no run', async () => {
  const { id, asAna } = await openDocument('Some text.\n')
  await asAna('POST', '/threads', { quote: 'text', text: 'First' })
  expect(server.rows(id).at(-1)).toMatchObject({ actor: ana.user.id, run: null })
})

test('[REV-6] what is cut and pasted, retyped as a heading or put into a list keeps its thread', async () => {
  const { asAna, editor, room } = await openDocument(
    'An opening paragraph.\n\nThe one that somebody moves.\n\nA closing one.\n',
  )
  const started = await asAna<Thread>('POST', '/threads', { quote: 'one that somebody', text: 'Here' })
  const thread = started.body.id
  await until(() => markedText(editor, thread) === 'one that somebody', 'the mark is there')
  const fragment = fragmentOf(editor)
  // As plain text, as if pasted from another program.
  editor.doc.transact(() => {
    fragment.delete(1)
    const heading = new Y.XmlElement('heading')
    heading.setAttribute('level', 2 as unknown as string)
    heading.insert(0, [new Y.XmlText('The one that somebody moves.')])
    fragment.insert(2, [heading])
  })
  await editor.saved()
  await asAna('GET', '/threads')
  await until(() => markedText(editor, thread) === 'one that somebody', 'it is marked in the heading')
  editor.doc.transact(() => {
    fragment.delete(2)
    const [list, item, paragraph] = ['bulletList', 'listItem', 'paragraph'].map((name) => new Y.XmlElement(name))
    paragraph!.insert(0, [new Y.XmlText('The one that somebody moves.')])
    item!.insert(0, [paragraph!])
    list!.insert(0, [item!])
    fragment.insert(0, [list!])
  })
  await until(() => markedText(editor, thread) === 'one that somebody', 'it is marked in the list without asking')
  expect(threadsIn(room)[thread]).toMatchObject({ orphaned: false, quote: 'one that somebody' })
})

test('[REV-7] a thread whose text is gone is orphaned, and it is back with the text', async () => {
  const { asAna, editor, room } = await openDocument('First.\n\nA sentence worth keeping.\n\nLast.\n')
  const { id: thread } = (await asAna<Thread>('POST', '/threads', { quote: 'sentence worth keeping', text: 'x' })).body
  await until(() => markedText(editor, thread) !== '', 'the mark is there')
  const undo = new Y.UndoManager(fragmentOf(editor))
  fragmentOf(editor).delete(1)
  await until(() => threadsIn(room)[thread]?.orphaned === true, 'it is orphaned')
  expect((await asAna<{ threads: Thread[] }>('GET', '/threads')).body.threads).toMatchObject([{ orphaned: true }])
  undo.undo()
  await until(() => threadsIn(room)[thread]?.orphaned === false, 'it is back')
  expect(markedText(editor, thread)).toBe('sentence worth keeping')
})

test('[REV-7] where its words are edited, the words as they are now count', async () => {
  const { asAna, editor, room } = await openDocument('First.\n\nA long sentence with teh mistake in it.\n\nLast.\n')
  const quote = 'long sentence with teh mistake'
  const { id: thread } = (await asAna<Thread>('POST', '/threads', { quote, text: 'x' })).body
  await until(() => markedText(editor, thread) !== '', 'the mark is there')
  const text = textOf(editor, 1)
  text.delete(21, 3)
  text.insert(21, 'the')
  await editor.saved()
  await asAna('GET', '/threads')
  fragmentOf(editor).delete(1)
  const paragraph = new Y.XmlElement('paragraph')
  paragraph.insert(0, [new Y.XmlText('A long sentence with the mistake in it.')])
  fragmentOf(editor).insert(0, [paragraph])
  await editor.saved()
  await asAna('GET', '/threads')
  await until(() => markedText(editor, thread).startsWith('long sentence with the'), 'it is marked again')
  expect(threadsIn(room)[thread]).toMatchObject({ quote, orphaned: false })
})

test('[REV-8] the word @agent in a comment starts a run whose answer is a reply in the thread', async () => {
  const { id, asAna, room } = await openDocument('We saw a cat.\n')
  const text = '@agent how many words are there?'
  const { body: started } = await asAna<Thread>('POST', '/threads', { quote: 'cat', text })
  const runId = started.comments[0]?.run
  expect(runId).toBeDefined()
  const run = async (): Promise<Run> => (await asAna<Run>('GET', `/runs/${runId}`)).body
  await until(async () => (await run()).endedAt !== undefined, 'the run has ended')
  expect(await run()).toMatchObject({
    status: 'completed',
    trigger: { kind: 'comment', id: started.comments[0]?.id },
    instruction: 'how many words are there?',
  })
  await until(() => threadsIn(room)[started.id]?.comments.length === 2, 'the answer is in the thread')
  expect(threadsIn(room)[started.id]?.comments[1]).toMatchObject({
    id: `answer-${runId}`,
    run: runId,
    author: { id: 'agent', kind: 'agent' },
    text: (await run()).answer,
  })
  expect(server.rows(id).filter(({ run: by }) => by === runId)).toEqual([])

  const again = await asAna<Thread>('POST', `/threads/${started.id}/comments`, { text: 'How many words are there?' })
  expect(again.body.comments[2]?.run).toBeDefined()
  await until(() => threadsIn(room)[started.id]?.comments.length === 4, 'the second answer is in the thread')
})

test('[REV-9] without @agent only the person who called the agent continues by replying to its answer', async () => {
  const { asAna, asBen, room } = await openDocument('Some words here.\n')
  const { body: started } = await asAna<Thread>('POST', '/threads', {
    quote: 'words',
    text: '@agent how many words are there?',
  })
  await until(() => threadsIn(room)[started.id]?.comments.length === 2, 'the answer is in the thread')
  const { body: replied } = await asBen<Thread>('POST', `/threads/${started.id}/comments`, { text: 'Interesting.' })
  expect(replied.comments.at(-1)?.run).toBeUndefined()
  const { body: later } = await asAna<Thread>('POST', `/threads/${started.id}/comments`, { text: 'Indeed.' })
  expect(later.comments.at(-1)?.run).toBeUndefined()
})

test('[REV-8] a thread that is full still takes the answer to who asked there last', async () => {
  const { id, asAna, room } = await openDocument('Some words here.\n')
  const { body: started } = await asAna<Thread>('POST', '/threads', { quote: 'words', text: 'Hm.' })
  await lockFile(server.file)
  const more = server.file.prepare(
    `INSERT INTO comments (document, id, thread, position, author_id, author_name, author_kind, text, run, created_at)
     SELECT document, id || ?, thread, ?, author_id, author_name, author_kind, text, run, created_at
     FROM comments WHERE document = ? AND position = 0`,
  )
  for (let position = 1; position < 499; position++) more.run(`-${position}`, position, id)
  server.file.exec('COMMIT')
  const path = `/threads/${started.id}/comments`
  const asked = await asAna<Thread>('POST', path, { text: '@agent how many words are there?' })
  expect(asked.body.comments).toHaveLength(500)
  await until(() => threadsIn(room)[started.id]?.comments.length === 501, 'the answer is there')
  expect(threadsIn(room)[started.id]?.comments.at(-1)).toMatchObject({ author: { kind: 'agent' } })
  expect((await asAna('POST', path, { text: 'Thanks.' })).body.error).toMatchObject({ code: 'too_large' })
})

test('[REV-10] the answer to a mention is a thread on its block', async () => {
  const { id, asAna, editor, room } = await openDocument('Title\n\nAsk here \n')
  const paragraph = fragmentOf(editor).get(1) as Y.XmlElement
  const mention = new Y.XmlElement('mention')
  const requestId = 'request-1'
  for (const [name, value] of Object.entries({ id: 'agent', label: 'agent', kind: 'agent', requestId, state: 'sent' }))
    mention.setAttribute(name, value)
  paragraph.insert(1, [mention, new Y.XmlText(' how many words are there?')])
  await until(() => Object.keys(threadsIn(room)).length === 1, 'a thread is there')
  const [thread] = Object.values(threadsIn(room))
  const { runs } = (await asAna<{ runs: Run[] }>('GET', '/runs')).body
  expect(thread).toMatchObject({ id: `thread-${runs[0]?.id}`, orphaned: false })
  expect(thread?.comments).toMatchObject([{ text: runs[0]?.answer, author: { kind: 'agent' }, run: runs[0]?.id }])
  await until(() => markedText(editor, thread?.id ?? '').includes('how many words'), 'its block is marked')
  const mark = server.rows(id).filter(({ actor, run }) => actor === 'agent' && run === null)
  expect(mark).toHaveLength(1)
})

test('[REV-24] a mark that a client writes makes no thread', async () => {
  const { id, asAna, editor, room } = await openDocument('Some text.\n')
  textOf(editor, 0).format(0, 4, { 'comment--AAAAAAAA': { threadId: 'made-up' } })
  await editor.saved()
  expect((await asAna<{ threads: Thread[] }>('GET', '/threads')).body.threads).toEqual([])
  expect((await asAna('POST', '/threads/made-up/comments', { text: 'x' })).status).toBe(404)
  room.doc.getMap(roomTypes.threads).set('made-up', { id: 'made-up', comments: [] })
  const another = await server.join(ana.token, roomName(id))
  expect(threadsIn(another)).toEqual({})
})

test('[REV-38] a thread and a document take so many characters of comments', async () => {
  const { id, asAna, room } = await openDocument('Some words.')
  const { body } = await asAna<Thread>('POST', '/threads', { quote: 'words', text: 'x'.repeat(20_000) })
  const path = `/threads/${body.id}/comments`
  for (let at = 0; at < 9; at++) expect((await asAna('POST', path, { text: 'x'.repeat(20_000) })).status).toBe(201)
  const over = await asAna('POST', path, { text: 'One more.' })
  expect([over.status, over.body.error]).toMatchObject([413, { code: 'too_large' }])
  expect(over.body.error.message).toContain('200000')
  const other = (await asAna<Thread>('POST', '/threads', { quote: 'Some', text: 'Why?' })).body
  // As large as 195 comments of full length.
  await changeFile(
    server.file,
    'UPDATE comments SET text = ? WHERE document = ? AND position = 3',
    'x'.repeat(3_900_000),
    id,
  )
  const more = await asAna('POST', `/threads/${other.id}/comments`, { text: 'Because.' })
  expect(more.body.error).toMatchObject({ code: 'too_large', message: expect.stringContaining('4000000') as unknown })
  expect(threadsIn(room)[other.id]?.comments).toHaveLength(1)
})

test('[REV-38] the same words can have fifty comments, and suggestions in addition', async () => {
  const { asAna } = await openDocument('Some words.')
  const comment = async () => asAna('POST', '/threads', { quote: 'words', text: 'Why?' })
  for (let at = 0; at < 50; at++) expect((await comment()).status).toBe(201)
  expect((await comment()).body.error).toMatchObject({ code: 'invalid_input' })
  expect((await asAna('POST', '/threads', { quote: 'Some', text: 'Why?' })).status).toBe(201)
})
