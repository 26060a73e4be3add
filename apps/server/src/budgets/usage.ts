import type { Usage } from '@copydesk/agent'
import type { Transaction } from 'kysely'
import type { ModelPrice } from '../models/models.ts'
import type { Tables } from '../store/tables.ts'

/** Money is stored in millionths of the currency. */
export const millionth = 1_000_000

/** The model of an answer, and the price of a million of its tokens; without a price they cost nothing. */
export type UsedModel = { name: string; price: ModelPrice | undefined }

/** The total usage of a run so far. Without `model`, the usage hasn't changed since the last record. */
export type RunProgress = { rounds: number; usage: Usage; model?: UsedModel | undefined }

/** The day (UTC) of a time, as `2026-11-24`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/**
 * Stores the usage of a run in its row and adds the difference to the day, within the transaction that stores the
 * answer: so a day counts each answer once, also after a restart, and keeps the usage when the run is deleted with its
 * document.
 */
export async function recordUsage(
  trx: Transaction<Tables>,
  id: string,
  { rounds, usage, model }: RunProgress,
  now: number,
): Promise<void> {
  const run = await trx
    .selectFrom('runs')
    .select(['invoked_by', 'agent', 'input_tokens', 'output_tokens', 'cost'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const input = Math.max(0, usage.inputTokens - run.input_tokens)
  const output = Math.max(0, usage.outputTokens - run.output_tokens)
  const cost = model?.price && Math.ceil(input * model.price.inputPerMillion + output * model.price.outputPerMillion)
  await trx
    .updateTable('runs')
    .set({
      rounds,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(model ? { model: model.name } : {}),
      ...(cost === undefined ? {} : { cost: (run.cost ?? 0) + cost }),
    })
    .where('id', '=', id)
    .execute()
  if (input + output === 0) return
  const isFirst = run.input_tokens + run.output_tokens === 0
  await trx
    .insertInto('usage_days')
    .values({
      day: dayOf(now),
      person: run.invoked_by,
      agent: run.agent ?? '',
      model: model?.name ?? '',
      runs: isFirst ? 1 : 0,
      input_tokens: input,
      output_tokens: output,
      cost: cost ?? 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['day', 'person', 'agent', 'model']).doUpdateSet((eb) => ({
        runs: eb('usage_days.runs', '+', eb.ref('excluded.runs')),
        input_tokens: eb('usage_days.input_tokens', '+', eb.ref('excluded.input_tokens')),
        output_tokens: eb('usage_days.output_tokens', '+', eb.ref('excluded.output_tokens')),
        cost: eb('usage_days.cost', '+', eb.ref('excluded.cost')),
      })),
    )
    .execute()
}
