import type { ToolPolicy } from '@copydesk/protocol'
import { failure, localizable, success, type ToolFailure, type ToolResult } from '@copydesk/tools'
import type { ForeignToolRow, ToolServerRow } from '../store/tables.ts'
import type { CallAnswer } from './connection/connection.ts'
import { cleanText } from './clean-text.ts'
import { resultText } from './result-text.ts'
import { readSchema, retryAt, type ServerRegistry } from './server-registry.ts'
import { ToolServerError, toolServerErrorTexts } from './connection/tool-server-error.ts'
import { type JsonSchema, readArguments } from './tool-schema.ts'

export type ForeignToolsDeps = { registry: ServerRegistry; now: () => number }

/** A tool of a tool server that is offered to a run. `name` is its name for agents, `tool` the server's name for it. */
export type OfferedForeignTool = { name: string; server: string; tool: string; description: string; schema: JsonSchema }

/** The tools of tool servers for a run, and the tools whose servers are down. */
export type ForeignOffer = { tools: OfferedForeignTool[]; missing: { name: string; reason: string }[] }

/** The maximum number of tools, and characters of their definitions, that all tool servers together add to a run. */
const offeredAtMost = 64
const charactersAtMost = 40_000

const continueHint = 'Go on without it, and say so.'

/** The tools of tool servers for use by agents. */
export class ForeignTools {
  readonly #deps: ForeignToolsDeps
  constructor(deps: ForeignToolsDeps) {
    this.#deps = deps
  }

  /** The tools that are offered to a run that begins now; connects to no server. */
  async offer(): Promise<ForeignOffer> {
    const offer: ForeignOffer = { tools: [], missing: [] }
    let characters = 0
    for (const row of await this.#deps.registry.tools()) {
      if (!isOffered(row)) continue
      const server = await this.#deps.registry.find(row.server)
      if (server?.enabled !== 1) continue
      const { offered_as: name, description } = row
      const why = this.#downReason(server)
      characters += description.length + row.schema.length
      const isTooMuch = offer.tools.length >= offeredAtMost || characters > charactersAtMost
      const tooMuch = isTooMuch ? 'there are too many tools; an operator can switch some off' : undefined
      const reason = why === undefined ? tooMuch : `its tool server ${row.server} is down: ${toolServerErrorTexts[why]}`
      if (reason !== undefined) offer.missing.push({ name, reason })
      else offer.tools.push({ name, server: row.server, tool: row.name, description, schema: readSchema(row.schema) })
    }
    return offer
  }

  /** The current policy of an offered tool; `deny` if it is no longer offered. */
  async policy({ server, tool }: Pick<OfferedForeignTool, 'server' | 'tool'>): Promise<ToolPolicy> {
    const row = await this.#row(server, tool)
    const own = await this.#deps.registry.find(server)
    return row && isOffered(row) && own?.enabled === 1 ? row.policy : 'deny'
  }

  /**
   * Sends a call to its tool server, unless `onSend` reports that it was sent before. The result has at most `limit`
   * characters. Failures of the tool server are results; rejects only if the signal is aborted.
   */
  async call(
    offered: OfferedForeignTool,
    given: Record<string, unknown>,
    { limit, onSend, signal }: { limit: number; onSend: () => Promise<boolean>; signal: AbortSignal },
  ): Promise<ToolResult> {
    const { server, tool } = offered
    const row = await this.#deps.registry.find(server)
    if (!row) return refused(offered)
    const why = this.#downReason(row)
    if (why !== undefined) return down(server, why)
    try {
      const answer = await this.#deps.registry.use(row, async (connection) => {
        // A new connection may have detected that the tool was changed.
        if ((await this.#row(server, tool))?.changed !== null || (await this.policy(offered)) === 'deny')
          return 'changed'
        signal.throwIfAborted()
        if (!(await onSend())) return 'sent'
        const fitting = readArguments(given, offered.schema)
        return connection.callTool(tool, asRecord(fitting), signal)
      })
      if (answer === 'changed') return refused(offered)
      if (answer === 'sent') return sentBefore(offered)
      return toResult(offered, answer, limit)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ToolServerError) return down(server, error.reason)
      throw error
    }
  }

  #downReason(row: ToolServerRow): NonNullable<ToolServerRow['down_reason']> | undefined {
    const at = retryAt(row)
    return at !== undefined && this.#deps.now() < at ? (row.down_reason ?? 'unreachable') : undefined
  }

  async #row(server: string, tool: string): Promise<ForeignToolRow | undefined> {
    return (await this.#deps.registry.tools(server)).find(({ name }) => name === tool)
  }
}

function isOffered({ policy, problem, changed, gone }: ForeignToolRow): boolean {
  return policy !== 'deny' && problem === null && changed === null && gone === 0
}

function toResult({ server, tool }: OfferedForeignTool, answer: CallAnswer, limit: number): ToolResult {
  if (answer.ok) {
    const text = resultText(answer.result, limit)
    if (answer.result.isError !== true) return success(text, localizable`Used ${tool} of ${server}`)
    return failure(
      'unavailable',
      localizable`${tool} of ${server} failed: ${text}`,
      'Act on that, or go on without it.',
    )
  }
  switch (answer.why) {
    case 'refused': {
      const hint = 'Check the arguments against the description of the tool.'
      return failure('unavailable', localizable`${server} refused the call: ${cleanText(answer.words, 500)}`, hint)
    }
    case 'slow':
      return failure(
        'unavailable',
        localizable`${tool} of ${server} did not answer in time.`,
        localizable`It may have had its effect. ${continueHint}`,
      )
    case 'unusable':
      return failure(
        'unavailable',
        localizable`The answer of ${server} could not be read, or was too large.`,
        continueHint,
      )
  }
}

function down(server: string, reason: keyof typeof toolServerErrorTexts): ToolFailure {
  const message = localizable`The tool server ${server} is down: ${{ key: toolServerErrorTexts[reason], values: [] }}.`
  return failure(
    'unavailable',
    message,
    localizable`${continueHint} An operator sees more on the page of tool servers.`,
  )
}

function refused({ name }: OfferedForeignTool): ToolFailure {
  const message = localizable`${name} was switched off, or its tool server has changed it.`
  return failure('denied', message, 'Go on without it, and say that an operator has to look at it.')
}

function sentBefore({ name }: OfferedForeignTool): ToolFailure {
  const message = localizable`This call of ${name} was sent before this server was restarted, and its answer is lost.`
  return failure('unavailable', message, 'It may have had its effect: find out before you call again.')
}

function asRecord(given: unknown): Record<string, unknown> {
  return typeof given === 'object' && given !== null ? { ...given } : {}
}
