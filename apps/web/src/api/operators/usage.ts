import { Budgets, OwnUsage, UsageReport } from '@copydesk/protocol'
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

/** What the user's runs have used today, and their budget. */
export function fetchOwnUsage(signal: AbortSignal): Promise<OwnUsage> {
  return request('/me/usage', OwnUsage, { signal })
}
