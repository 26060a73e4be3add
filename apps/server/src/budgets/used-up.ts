import type { BudgetScope } from '@copydesk/protocol'
import { type Localizable, localizable } from '@copydesk/tools'

/** A budget that is used up: `reason` completes "the limit of …" for the model, `text` is for people. */
export type UsedUp = { reason: string; text: Localizable }

/** Says which budget is used up, and what helps. */
export function describeUsedUp(scope: BudgetScope, unit: 'tokens' | 'cost', limit: number): UsedUp {
  return { reason: reasons[scope], text: texts[scope][unit](limit) }
}

const reasons: Record<BudgetScope, string> = {
  run: 'tokens or money',
  person: 'tokens or money of its caller for today',
  agent: 'tokens or money of this agent for today',
  server: 'tokens or money of this server for today',
}

const texts: Record<BudgetScope, Record<'tokens' | 'cost', (limit: number) => Localizable>> = {
  run: {
    tokens: (limit) => localizable`It used all ${limit} tokens that it may use. Continue to give it as many again.`,
    cost: (limit) => localizable`It used the budget of a run, ${limit}. Continue to give it as much again.`,
  },
  person: {
    tokens: (limit) =>
      localizable`You have used today's ${limit} tokens. Ask again tomorrow, or ask the operator for more.`,
    cost: (limit) =>
      localizable`You have used today's budget of ${limit}. Ask again tomorrow, or ask the operator for more.`,
  },
  agent: {
    tokens: (limit) =>
      localizable`This agent has used today's ${limit} tokens. Ask again tomorrow, or ask the operator for more.`,
    cost: (limit) =>
      localizable`This agent has used today's budget of ${limit}. Ask again tomorrow, or ask the operator for more.`,
  },
  server: {
    tokens: (limit) =>
      localizable`The agents of this server have used today's ${limit} tokens. Ask again tomorrow, or ask the operator for more.`,
    cost: (limit) =>
      localizable`The agents of this server have used today's budget of ${limit}. Ask again tomorrow, or ask the operator for more.`,
  },
}
