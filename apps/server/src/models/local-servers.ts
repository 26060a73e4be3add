import { existsSync } from 'node:fs'
import { listModels, services } from '@copydesk/agent'

/** An address of a local model server, and the program that usually uses it. */
export type LocalServer = { name: string; baseUrl: string }

const usual = [
  ['Ollama', 11434],
  ['vLLM', 8000],
  ['llama.cpp', 8080],
  ['LM Studio', 1234],
] as const

/** The default addresses of Ollama, vLLM, llama.cpp and LM Studio; in a container also those of its host. */
export function usualLocalServers(): LocalServer[] {
  const isInContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv')
  const hosts = isInContainer ? ['127.0.0.1', 'host.docker.internal'] : ['127.0.0.1']
  return hosts.flatMap((host) => usual.map(([name, port]) => ({ name, baseUrl: `http://${host}:${port}/v1` })))
}

const answerWithinMs = 1000

/** The servers that list models without a key within a second; all are asked concurrently. Never throws. */
export async function findLocalServers(
  servers: readonly LocalServer[],
): Promise<(LocalServer & { models: string[] })[]> {
  const service = services.find(({ keyIsOptional }) => keyIsOptional)
  if (!service) return []
  const found = await Promise.all(
    servers.map(async (server) => {
      const signal = AbortSignal.timeout(answerWithinMs)
      const listing = await listModels(service, { baseURL: server.baseUrl }, { signal })
      return listing.ok && listing.models.length > 0 ? [{ ...server, models: listing.models }] : []
    }),
  )
  return found.flat()
}
