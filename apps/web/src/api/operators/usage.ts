import { type Budget, Budgets, OwnUsage, UsageReport } from '@copydesk/protocol'
import { request, send } from '../client.ts'

/** What agents have used in the last days, and the budgets. */
export function fetchUsage(days: number, signal: AbortSignal): Promise<UsageReport> {
  return request(`/usage?days=${days}`, UsageReport, { signal })
}

/** The same as CSV. */
export async function exportUsage(days: number): Promise<Blob> {
  return (await send(`/usage/export?days=${days}`)).blob()
}

/** Replaces the budgets. */
export function putBudgets(body: Budgets): Promise<Budgets> {
  return request('/usage/budgets', Budgets, { method: 'PUT', body })
}

/** Gives a person a daily budget in place of the one for everybody. */
export async function putPersonBudget(person: string, body: Budget): Promise<void> {
  await send(`/usage/budgets/people/${encodeURIComponent(person)}`, { method: 'PUT', body })
}

/** Takes back the daily budget of a person. */
export async function deletePersonBudget(person: string): Promise<void> {
  await send(`/usage/budgets/people/${encodeURIComponent(person)}`, { method: 'DELETE' })
}

/** What the user's runs have used today, and their budget. */
export function fetchOwnUsage(signal: AbortSignal): Promise<OwnUsage> {
  return request('/me/usage', OwnUsage, { signal })
}
