import { z } from 'zod'
import { type Need, variablesFor } from './define-tool.ts'
import { failure, held, type ToolFailure } from '../common/result.ts'
import { readAddress } from '../session/egress/named-addresses.ts'
import { reasonsToAsk } from '../session/egress/reasons.ts'
import type { ToolCallContext } from '../session/host/session-options.ts'
import { type Localizable, localizable } from '../common/localizable.ts'

/** The input field for the words of a search. */
export const searchWords = z.string().trim().min(1).max(400)

const longestAddress = 2_000

/** Whether an address that a service returned can be used: a web address of a usual length. */
export function isUsable(address: string): boolean {
  return address.length <= longestAddress && readAddress(address) !== undefined
}

/** Refuses a call because the host lacks a service; the hint names the operator's setting. */
export function notConfigured(what: string, need: Need): ToolFailure {
  const variable = variablesFor[need]
  const hint =
    variable === undefined ? 'Go on without it, and say so.' : localizable`Say that an operator has to set ${variable}.`
  return failure('not_configured', localizable`${what} is not set up here.`, hint)
}

/**
 * Holds a call until a person approves that `text` is sent out of the server; `reason` says why, unless an operator
 * requires approval of every call.
 */
export function heldToSend(
  summary: Localizable,
  text: string,
  reason: Localizable,
  call: ToolCallContext,
): ToolFailure {
  const why = call.mustAsk === true ? reasonsToAsk.eachCall : reason
  return held(summary, 'The call', [{ before: '', after: text }], why)
}
