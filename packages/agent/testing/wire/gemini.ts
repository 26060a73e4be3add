import { asRecord, asRecords, asText } from './wire.ts'
import type { ParsedMessage, Wire, WireEncoder, WireFinish } from './wire.ts'

const finishReasons: Record<WireFinish, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  refused: 'SAFETY',
}

/**
 * Gemini's `POST /v…/models/<model>:streamGenerateContent?alt=sse`; calls come whole, with a signature on the first.
 */
export const geminiWire: Wire = {
  baseURL: (origin) => origin,
  parse: (path, body) => ({
    model: /\/models\/([^:?]+)/.exec(path)?.[1] ?? '',
    system: asText(asRecord(body['systemInstruction'])['parts']),
    messages: asRecords(body['contents']).flatMap(parseContent),
    tools: asRecords(body['tools']).flatMap((tool) =>
      asRecords(tool['functionDeclarations']).map((declared) => String(declared['name'])),
    ),
    stream: path.includes(':streamGenerateContent'),
    body,
  }),
  createEncoder: createGeminiEncoder,
  error: ({ status, message, kind }) => ({ error: { code: status, message, status: kind ?? 'UNAVAILABLE' } }),
  list: (models) => ({
    models: models.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ['generateContent'] })),
  }),
}

function parseContent(content: Record<string, unknown>): ParsedMessage[] {
  const parts = asRecords(content['parts'])
  if (content['role'] === 'model') {
    const toolCalls = parts
      .filter((part) => part['functionCall'])
      .map((part) => asRecord(part['functionCall']))
      .map((called) => ({ name: String(called['name']), arguments: called['args'] }))
    return [{ role: 'assistant', text: asText(parts.filter((part) => part['thought'] !== true)), toolCalls }]
  }
  return parts.map((part): ParsedMessage => {
    if (!part['functionResponse']) return { role: 'user', text: String(part['text']) }
    const { name, response } = asRecord(part['functionResponse'])
    const { output, error } = asRecord(response)
    return { role: 'tool', name: String(name), text: asText(output ?? error) }
  })
}

function createGeminiEncoder(model: string): WireEncoder {
  let signed = false
  const chunk = (parts: unknown[], more: Record<string, unknown> = {}, usage?: Record<string, number>): string => {
    const candidate = { content: { role: 'model', parts }, index: 0, ...more }
    const data = {
      candidates: [candidate],
      ...(usage ? { usageMetadata: usage } : {}),
      modelVersion: model,
      responseId: 'played',
    }
    return `data: ${JSON.stringify(data)}\r\n\r\n`
  }
  return {
    begin: () => '',
    text: (text) => chunk([{ text }]),
    toolCall({ id, name, json }) {
      const signature = signed ? {} : { thoughtSignature: 'cGxheWVkIHNpZ25hdHVyZQ==' }
      signed = true
      return [chunk([{ functionCall: { id, name, args: JSON.parse(json) as unknown }, ...signature }])]
    },
    end(finish, usage) {
      const counted = {
        promptTokenCount: usage.inputTokens,
        candidatesTokenCount: usage.outputTokens,
        totalTokenCount: usage.inputTokens + usage.outputTokens,
      }
      return chunk([{ text: '' }], { finishReason: finishReasons[finish] }, counted)
    },
  }
}
