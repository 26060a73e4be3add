import { AuditList, type AuditQuery } from '@copydesk/protocol'
import { request, send } from './client.ts'

/** Filters entries of the audit log. */
export type AuditFilter = Omit<AuditQuery, 'cursor' | 'format'>

function path(filter: AuditFilter, more: Record<string, string>): string {
  return `/audit?${new URLSearchParams({ ...filter, ...more })}`
}

/** A page of the audit log, newest first. */
export function fetchAudit(filter: AuditFilter, cursor: string | null, signal: AbortSignal): Promise<AuditList> {
  return request(path(filter, cursor === null ? {} : { cursor }), AuditList, { signal })
}

/** All matching entries as a file. */
export async function exportAudit(filter: AuditFilter, format: 'csv' | 'jsonl'): Promise<Blob> {
  return (await send(path(filter, { format }))).blob()
}
