/**
 * Tokens and rounds that a command costs, on a short, a long and a very long document: a local server plays the model
 * with a script for each command, and counts the requests that the real loop sends it.
 *
 *     pnpm --filter @copydesk/bench tokens
 *
 * A token is taken for four characters of the request; services count somewhat differently, and less for what their
 * caches hold. Written as JSON to bench/results/tokens.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { post, startCopydeskWith } from './load-target.ts'

const charactersPerToken = 4
const base = 'http://127.0.0.1:4461'

const paragraph = 'We meet on Monday, and everybody brings what they have written since the last time. '
const section = (index: number, paragraphs: number): string =>
  `## Part ${index}\n\n${Array.from({ length: paragraphs }, (_, at) => `${paragraph.repeat(5)}(${index}.${at})`).join('\n\n')}`

/** A document of about so many words; the typo is in its last section. */
function documentOf(words: number): string {
  const perSection = Math.min(words, 800)
  const sections = Math.max(1, Math.round(words / perSection))
  const paragraphs = Math.max(1, Math.round(perSection / 80))
  const parts = Array.from({ length: sections }, (_, index) => section(index + 1, paragraphs))
  return `# Notes\n\n${parts.join('\n\n')}\n\nThe last line has teh typo.`
}

const documents = { 'short (200 words)': 200, 'long (10,000 words)': 10_000, 'very long (100,000 words)': 100_000 }

/** A document in which every tool can do something: its runs are offered all of them. */
async function everything(token: string): Promise<string> {
  const markdown = `${documentOf(200)}\n\n| City | Visitors |\n| - | - |\n| Ghent | 31 |`
  const { id } = await post<{ id: string }>(base, '/api/documents', { markdown }, token)
  await post(base, `/api/documents/${id}/threads`, { quote: 'Ghent', text: 'Really?' }, token)
  await post(base, `/api/documents/${id}/changes`, { quote: 'Visitors', replaceWith: 'Guests' }, token)
  await ask(id, preparation.ask, token)
  return id
}

type Command = { ask: string; calls: (isShort: boolean) => readonly { name: string; arguments: object }[] }

const preparation: Command = {
  ask: 'Correct the spelling.',
  calls: () => [{ name: 'edit_document', arguments: { find: 'teh', replace: 'the' } }],
}

// What a careful model does; it reads only what the prompt doesn't show.
const commands: Readonly<Record<string, Command>> = {
  'fix a typo': {
    ask: 'Fix the typo in the last line.',
    calls: (isShort) => [
      ...(isShort ? [] : [{ name: 'search_document', arguments: { query: 'teh' } }]),
      { name: 'edit_document', arguments: { find: 'teh', replace: 'the' } },
    ],
  },
  'rewrite a section': {
    ask: 'Shorten the first part to one sentence.',
    calls: (isShort) => [
      ...(isShort ? [] : [{ name: 'get_document', arguments: { sectionIndex: 1 } }]),
      {
        name: 'update_section',
        arguments: { operation: 'replace', sectionIndex: 1, content: 'We meet on Monday with our drafts.' },
      },
    ],
  },
  'three changes': {
    ask: 'Make Monday bold, fix the typo, and comment on the last line.',
    calls: (isShort) => [
      ...(isShort ? [] : [{ name: 'search_document', arguments: { query: 'last line' } }]),
      { name: 'apply_formatting', arguments: { target: { type: 'text', value: 'Monday' }, format: { type: 'bold' } } },
      { name: 'edit_document', arguments: { find: 'teh', replace: 'the' } },
      { name: 'add_comment', arguments: { search: 'The last line', text: 'Is this still needed?' } },
    ],
  },
}

type Cost = { rounds: number; tokens: number; 'first round': number }

async function measure(command: Command, isShort: boolean, open: (token: string) => Promise<string>): Promise<Cost> {
  const script: ModelScript = ({ results, lastUser }) => {
    const next = (lastUser.includes(command.ask) ? command : preparation).calls(isShort)[results.length]
    return next ? { chunks: [{ toolCall: { name: next.name, arguments: { ...next.arguments } } }] } : 'Done.'
  }
  const model = await createModelServer({ provider: 'openai', script })
  const server = await startCopydeskWith({ ...model.environment, AGENT_PROVIDER: 'openai' })
  try {
    const { token } = await post<{ token: string }>(base, '/api/session', { name: 'Ana' })
    const id = await open(token)
    const before = model.requests.length
    await ask(id, command.ask, token)
    const sizes = model.requests.slice(before).map(({ body }) => JSON.stringify(body).length / charactersPerToken)
    const tokens = sizes.reduce((sum, each) => sum + each, 0)
    return { rounds: sizes.length, tokens: Math.round(tokens), 'first round': Math.round(sizes[0] ?? 0) }
  } finally {
    await server.close()
    await model.close()
  }
}

async function ask(document: string, text: string, token: string): Promise<void> {
  const { run } = await post<{ run: { id: string } }>(base, `/api/documents/${document}/messages`, { text }, token)
  await runEnds(document, run.id, token)
}

/** @throws if the run doesn't complete: then the figures would be those of something else. */
async function runEnds(document: string, run: string, token: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${base}/api/documents/${document}/runs/${run}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { status, steps } = (await response.json()) as {
      status: string
      steps: { status: string; summary: string }[]
    }
    const failed = steps.find((step) => step.status === 'error')
    if (failed) throw new Error(`a call failed: ${failed.summary}`)
    if (status === 'completed') return
    if (status === 'failed' || status === 'limit_reached') throw new Error(`the run ended as ${status}`)
    await setTimeout(50)
  }
}

const rows: Record<string, Cost> = {}
for (const [name, size] of Object.entries(documents)) {
  for (const [what, command] of Object.entries(commands)) {
    const open = async (token: string): Promise<string> =>
      (await post<{ id: string }>(base, '/api/documents', { markdown: documentOf(size) }, token)).id
    rows[`${what}, ${name}`] = await measure(command, size < 1000, open)
  }
}
const question: Command = { ask: 'What is this about?', calls: () => [] }
rows['a question, all tools offered'] = await measure(question, true, everything)
console.table(rows)
const folder = fileURLToPath(new URL('../results', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/tokens.json`, `${JSON.stringify(rows, null, 2)}\n`)
