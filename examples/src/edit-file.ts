/**
 * Lets a model edit a Markdown file:
 *
 *     node examples/src/edit-file.ts openai plan.md 'Correct the misspellings'
 *
 * The first argument is `openai`, `anthropic` or `ai-sdk`. Keys and addresses come from the variables that the SDKs
 * read: `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ReplyEvent, ReplyTurn } from '@copydesk/agent-panel'
import { contentTypes, createBindingMetadata, readFragment, schema, writeFragment } from '@copydesk/schema'
import { parseMarkdown, serializeMarkdown } from '@copydesk/schema/markdown'
import { type DocumentSession, openHeadlessSession } from '@copydesk/tools'
import * as Y from 'yjs'
import { replyWithAiSdk } from './ai-sdk.ts'
import { replyWithAnthropic } from './anthropic.ts'
import { replyWithOpenAI } from './openai.ts'

const [sdk, file, request] = process.argv.slice(2)
if (sdk === undefined || file === undefined || request === undefined) {
  throw new Error("usage: edit-file.ts openai|anthropic|ai-sdk <file> '<request>'")
}

const doc = new Y.Doc()
const fragment = doc.getXmlFragment(contentTypes.fragment)
writeFragment(fragment, parseMarkdown(readFileSync(file, 'utf8')).doc, createBindingMetadata())
const session = openHeadlessSession({ doc })

const { signal } = new AbortController()
for await (const event of reply(sdk, [{ role: 'user', content: request }], session)) {
  process.stdout.write(event.type === 'text' ? event.text : `\n[${event.step.status}] ${event.step.title}\n`)
}

const read = readFragment(fragment, schema)
if (read.ok) writeFileSync(file, serializeMarkdown(read.doc))
session.close()

function reply(name: string, turns: readonly ReplyTurn[], over: DocumentSession): AsyncIterable<ReplyEvent> {
  if (name === 'openai') return replyWithOpenAI(turns, over, signal)
  if (name === 'anthropic') return replyWithAnthropic(turns, over, signal)
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1' } = process.env
  const provider = createOpenAICompatible({ name: 'openai', baseURL, ...(apiKey === undefined ? {} : { apiKey }) })
  return replyWithAiSdk(turns, over, signal, provider('gpt-5.5'))
}
