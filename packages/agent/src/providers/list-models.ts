import { z } from 'zod'
import type { ModelFailure } from '../contract.ts'
import { toConnectionFailure, toModelFailure } from './failures.ts'
import type { Service, ServiceSettings } from './service.ts'

const bytesAtMost = 2 * 1024 * 1024
const modelsAtMost = 500

// `{data: [{id}]}` of OpenAI, compatible servers and Anthropic; `{models: [{name}]}` of Gemini.
const List = z.union([
  z.object({ data: z.array(z.object({ id: z.string().min(1) })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({
      models: z.array(
        z.object({ name: z.string().min(1), supportedGenerationMethods: z.array(z.string()).optional() }),
      ),
    })
    .transform(({ models }) =>
      models
        .filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
        .map(({ name }) => name.replace(/^models\//, '')),
    ),
])
const Refusal = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) })

/** The names of a service's models, or the failure. */
export type ModelListing = { ok: true; models: string[] } | { ok: false; failure: ModelFailure }

/**
 * Lists the models of a service, at most 500, sorted; never throws. Follows no redirect, so that a key reaches only the
 * given address, and loads no SDK.
 */
export async function listModels(
  service: Service,
  { apiKey, baseURL = service.baseURL }: ServiceSettings,
  { signal }: { signal: AbortSignal },
): Promise<ModelListing> {
  const { path } = service.listing
  const headers = apiKey ? service.listing.headers(apiKey) : {}
  try {
    const response = await fetch(baseURL.replace(/\/+$/, '') + path, { headers, signal, redirect: 'manual' })
    const body = await readBody(response)
    if (!response.ok) return { ok: false, failure: refusalOf(response.status, body) }
    const list = List.safeParse(parseJson(body))
    if (!list.success) return { ok: false, failure: notAList }
    return { ok: true, models: [...new Set(list.data)].toSorted().slice(0, modelsAtMost) }
  } catch (error) {
    return { ok: false, failure: toConnectionFailure(error) }
  }
}

const notAList: ModelFailure = {
  code: 'invalid_response',
  message: 'The address answers, but not with a list of models.',
  retryable: false,
}

function refusalOf(status: number, body: string): ModelFailure {
  const refusal = Refusal.safeParse(parseJson(body)).data?.error
  const message = typeof refusal === 'string' ? refusal : (refusal?.message ?? `The address answers ${status}.`)
  return toModelFailure({ status, message, toolsOffered: false })
}

async function readBody({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let received = 0
  for await (const part of body ?? []) {
    received += part.byteLength
    if (received > bytesAtMost) throw new Error('The address sends more than a list of models.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
