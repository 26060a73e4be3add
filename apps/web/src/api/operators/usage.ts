import { type Budget, Budgets, OwnUsage, UsageReport } from '@copydesk/protocol'
import { request, send } from '../client.ts'

/** The usage of agents in the last days, and the budgets. */
export function fetchUsage(days: number, signal: AbortSignal): Promise<UsageReport> {
  return request(`/usage?days=${days}`, UsageReport, { signal })
}

/** The same report as CSV. */
export async function exportUsage(days: number): Promise<Blob> {
  return (await send(`/usage/export?days=${days}`)).blob()
}

export function putBudgets(body: Budgets): Promise<Budgets> {
  return request('/usage/budgets', Budgets, { method: 'PUT', body })
}

/** Sets a person's daily budget, which replaces the one for everybody. */
export async function putPersonBudget(person: string, body: Budget): Promise<void> {
  await send(`/usage/budgets/people/${encodeURIComponent(person)}`, { method: 'PUT', body })
}

export async function deletePersonBudget(person: string): Promise<void> {
  await send(`/usage/budgets/people/${encodeURIComponent(person)}`, { method: 'DELETE' })
}

/** The usage of the user's runs today, and their budget. */
export function fetchOwnUsage(signal: AbortSignal): Promise<OwnUsage> {
  return request('/me/usage', OwnUsage, { signal })
}
