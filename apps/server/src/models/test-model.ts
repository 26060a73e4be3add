import type { ModelFailure, ModelProvider, ModelRequest } from '@copydesk/agent'
import type { ModelProblem, ModelTest } from '@copydesk/protocol'

/** The time limit of a test in milliseconds: a local server first loads the model from disk. */
const testWithinMs = 60_000
const detailAtMost = 500

const word = 'ready'
const schema = {
  type: 'object',
  properties: { word: { type: 'string', description: 'The word to confirm.' } },
  required: ['word'],
}
const request: ModelRequest = {
  system: 'This is a test of the connection. Call the tool that the user names, and say nothing.',
  messages: [{ role: 'user', text: `Call the tool confirm with the word "${word}".` }],
  tools: [
    {
      name: 'confirm',
      description: 'Confirms that tools can be called.',
      inputSchema: { jsonSchema: { ...schema, additionalProperties: false }, openapi: schema },
    },
  ],
}

/** Sends one small request with a tool through the provider. Never throws. */
export async function testModel(
  provider: ModelProvider,
  { elapsed, signal }: { elapsed: () => number; signal: AbortSignal },
): Promise<ModelTest> {
  const startedAt = elapsed()
  const outcome = await callOnce(provider, AbortSignal.any([signal, AbortSignal.timeout(testWithinMs)]))
  return { ...outcome, durationMs: Math.round(elapsed() - startedAt) }
}

type Outcome = Pick<ModelTest, 'problem' | 'detail'>

async function callOnce(provider: ModelProvider, signal: AbortSignal): Promise<Outcome> {
  for await (const event of provider.stream(request, { signal })) {
    if (event.type === 'failed') return explainFailure(event.failure)
    if (event.type !== 'done') continue
    if (event.message.toolCalls.length > 0) return { problem: null, detail: null }
    return { problem: 'no-tools', detail: cut(event.message.text) }
  }
  return { problem: 'answer', detail: null }
}

/** Explains a failure to operators, by the provider's own classification of it. */
export function explainFailure({ code, message, status, errno }: ModelFailure): Outcome {
  return { problem: problemOf(code, status, errno), detail: cut(message) }
}

function problemOf(code: ModelFailure['code'], status: number | undefined, errno: string | undefined): ModelProblem {
  switch (code) {
    case 'unauthorized':
      return status === undefined ? 'locked' : 'key'
    case 'rate_limited':
      return 'limit'
    case 'overloaded':
      return 'overloaded'
    case 'stalled':
    case 'aborted':
      return 'slow'
    case 'invalid_response':
      return 'answer'
    case 'tools_unsupported':
      return 'no-tools'
    case 'network':
      return problemOfConnection(errno)
    case 'invalid_request':
      return problemOfRefusal(status)
  }
}

function problemOfRefusal(status: number | undefined): ModelProblem {
  if (status === undefined) return 'removed'
  if (status === 404) return 'no-model'
  return status < 400 || status === 405 ? 'address' : 'rejected'
}

function problemOfConnection(errno = ''): ModelProblem {
  if (errno === 'ENOTFOUND' || errno === 'EAI_AGAIN') return 'unknown-host'
  if (errno === 'ECONNREFUSED') return 'refused'
  if (errno === 'ETIMEDOUT' || errno === 'UND_ERR_CONNECT_TIMEOUT') return 'slow'
  return /CERT|SSL|TLS|EPROTO|UNABLE_TO/.test(errno) ? 'certificate' : 'unreachable'
}

function cut(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed.slice(0, detailAtMost)
}
