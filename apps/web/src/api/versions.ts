import { Authorship, Version, VersionDiff, VersionExtent, VersionList } from '@copydesk/protocol'
import { apiPath, request } from './client.ts'

/** A page of a document's versions, newest first. */
export function fetchVersions(document: string, cursor: string | null, signal: AbortSignal): Promise<VersionList> {
  const query = cursor === null ? '' : apiPath`?cursor=${cursor}`
  return request(apiPath`/documents/${document}/versions` + query, VersionList, { signal })
}

/** The diff between a version and another, or `current`; by default, the version before. */
export function fetchDiff(
  document: string,
  version: string,
  against: string | undefined,
  signal: AbortSignal,
): Promise<VersionDiff> {
  const query = against === undefined ? '' : apiPath`?against=${against}`
  return request(apiPath`/documents/${document}/versions/${version}/diff` + query, VersionDiff, { signal })
}

/** The extent of the changes between the versions of `fetchDiff`. */
export function fetchExtent(
  document: string,
  version: string,
  against: string | undefined,
  signal: AbortSignal,
): Promise<VersionExtent> {
  const query = against === undefined ? '' : apiPath`?against=${against}`
  return request(apiPath`/documents/${document}/versions/${version}/extent` + query, VersionExtent, { signal })
}

/** Saves the current text as a version with a name. */
export function createVersion(document: string, name: string): Promise<Version> {
  return request(apiPath`/documents/${document}/versions`, Version, { method: 'POST', body: { name } })
}

/** Names a version, or removes its name. */
export function renameVersion(document: string, version: string, name: string | null): Promise<Version> {
  return request(apiPath`/documents/${document}/versions/${version}`, Version, { method: 'PATCH', body: { name } })
}

/** Restores the text of a version; resolves when that is on disk. */
export function restoreVersion(document: string, version: string): Promise<Version> {
  return request(apiPath`/documents/${document}/versions/${version}/restore`, Version, { method: 'POST' })
}

/** The authorship of a document, by Yjs ids. */
export function fetchAuthorship(document: string, signal?: AbortSignal): Promise<Authorship> {
  return request(apiPath`/documents/${document}/authorship?by=ids`, Authorship, signal ? { signal } : {})
}
