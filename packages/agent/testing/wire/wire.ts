import type { Usage } from '../../src/contract.ts'

/** A service whose wire format can be simulated. */
export type WireName = 'anthropic' | 'openai' | 'gemini'

/** A client's request, in one form for all services. `body` is the original request. */
export type ParsedRequest = {
  model: string
  system: string
  messages: ParsedMessage[]
  /** The names of the tools that were offered. */
  tools: string[]
  stream: boolean
  body: unknown
}

/**
 * One message of a request. A result has the name of its tool if the service's format includes it, otherwise the id.
 */
export type ParsedMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: { name: string; arguments: unknown }[] }
  | { role: 'tool'; text: string; name?: string; callId?: string }

/** A call in a script: `json` is its arguments as text, possibly invalid on purpose. */
export type WireCall = { id: string; name: string; json: string }

/** Why an answer ends. */
export type WireFinish = 'stop' | 'tool_calls' | 'length' | 'refused'

/** An error in the service's own form. */
export type WireError = { status: number; message: string; kind?: string }

/** Encodes one answer as the events of a stream, piece by piece. */
export interface WireEncoder {
  begin(): string
  text(text: string): string
  /** A call in several pieces, split as by the service. */
  toolCall(call: WireCall): string[]
  end(finish: WireFinish, usage: Usage): string
}

/** A wire format: how to read a request, and how to write answers and errors. */
export interface Wire {
  /** The SDK's base URL for a server at `origin`. */
  baseURL(origin: string): string
  parse(path: string, body: Record<string, unknown>): ParsedRequest
  createEncoder(model: string): WireEncoder
  error(error: WireError): unknown
  /** The service's list of models. */
  list(models: readonly string[]): unknown
}

/** Splits a text into a few pieces of about `size` characters. */
export function cut(text: string, size: number): string[] {
  const characters = [...text]
  const pieces: string[] = []
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(''))
  return pieces
}

/** A value as a record, or an empty one. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** A value as a list of records. */
export function asRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(asRecord) : []
}

/** The text of a content that is a string or a list of text parts. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return asRecords(value)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}
