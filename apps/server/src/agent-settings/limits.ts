import type { AgentLimit } from '@copydesk/protocol'
import { defaultLimits, limitRanges, type ToolLimits } from '@copydesk/tools'
import { localizable } from '@copydesk/tools/localizable'
import { type Expression, sql } from 'kysely'
import { RequestError } from '../common/errors.ts'

/** The limits of runs that operators can set: the tools' limits, and the number of model answers in a run. */
export type RunLimits = ToolLimits & { rounds: number }

export type LimitName = keyof RunLimits

const defaults: Readonly<RunLimits> = { rounds: 8, ...defaultLimits }
const ranges: Readonly<Record<LimitName, readonly [number, number]>> = { rounds: [1, 100], ...limitRanges }
const names = Object.keys(defaults) as LimitName[]

/** All limits. `fixed` limits are set by variables of the server and override the `changed` ones of the page. */
export function listLimits(fixed: Partial<RunLimits>, changed: Partial<RunLimits>): AgentLimit[] {
  return names.map((name) => ({
    name,
    value: fixed[name] ?? changed[name] ?? defaults[name],
    default: defaults[name],
    min: ranges[name][0],
    max: ranges[name][1],
    isFixed: fixed[name] !== undefined,
  }))
}

/**
 * Returns `changed` with these changes; `null` restores a limit's default.
 * @throws RequestError `invalid_input` for an unknown name or a number out of range; `conflict` for a fixed limit.
 */
export function changeLimits(
  fixed: Partial<RunLimits>,
  changed: Partial<RunLimits>,
  given: Readonly<Record<string, number | null>>,
): Partial<RunLimits> {
  const result = { ...changed }
  for (const [given_, value] of Object.entries(given)) {
    const name = names.find((each) => each === given_)
    if (name === undefined) {
      throw new RequestError('invalid_input', `limits: there is no limit ${given_}.`, `Limits: ${names.join(', ')}.`)
    }
    if (fixed[name] !== undefined) {
      const hint = 'Change the variable, and start the server again.'
      throw new RequestError('conflict', localizable`${variableOf(name)} sets ${name} on this server.`, hint)
    }
    const [min, max] = ranges[name]
    if (value === null) delete result[name]
    else if (value >= min && value <= max) result[name] = value
    else throw new RequestError('invalid_input', localizable`${name}: a whole number from ${min} to ${max}.`)
  }
  return result
}

/** The rounds of a new run as an SQL expression, which is evaluated in the transaction that stores the run. */
export function roundsOfRun({ AGENT_MAX_ROUNDS: fixed }: RoundsVariable): Expression<number> {
  if (fixed !== undefined) return sql<number>`${fixed}`
  return sql<number>`coalesce((select json_extract(limits, '$.rounds') from agent_settings), ${defaults.rounds})`
}

type RoundsVariable = { AGENT_MAX_ROUNDS?: number | undefined }

function variableOf(name: LimitName): string {
  return name === 'rounds' ? 'AGENT_MAX_ROUNDS' : 'TOOL_LIMITS'
}
