/**
 * Tokens and rounds that a command costs, on a short, a long and a very long document: a local server plays the model
 * with a script for each command, and counts the requests that the real loop sends it. Then tokens a round of a run of
 * 60 steps over a document of 200,000 words.
 *
 *     pnpm --filter @copydesk/bench tokens
 *
 * A token is taken for four characters of the request; services count somewhat differently, and less for what their
 * caches hold. Written as JSON to bench/results/tokens.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { post, startCopydeskWith } from './load-target.ts'
import { measureLongRuns } from './long-runs.ts'
import { ask, base, charactersPerToken, documentOf } from './requests.ts'

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
const longRuns = await measureLongRuns()
console.table(longRuns)
const folder = fileURLToPath(new URL('../results', import.meta.url))
mkdirSync(folder, { recursive: true })
writeFileSync(`${folder}/tokens.json`, `${JSON.stringify({ ...rows, ...longRuns }, null, 2)}\n`)
