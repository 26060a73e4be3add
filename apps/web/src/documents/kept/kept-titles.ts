import { useEffect } from 'react'
import { z } from 'zod'
import { writeStored, readStoredJson } from '../../common/local-storage.ts'

const Titles = z.record(z.string(), z.string())
const storageKey = (account: string) => `copydesk titles ${account}`
const keptAtMost = 300

/**
 * Stores the titles of documents, so that the list can name those that this browser stores while the server is
 * unreachable. The titles stored last come last.
 */
export function keepTitles(account: string, documents: readonly { id: string; title: string }[]): void {
  const titles = Object.entries(readTitles(account)).filter(([id]) => !documents.some((each) => each.id === id))
  const next = [...titles, ...documents.map(({ id, title }) => [id, title] as const)].slice(-keptAtMost)
  writeStored(storageKey(account), JSON.stringify(Object.fromEntries(next)))
}

/** Stores the title of an open document. */
export function useKeptTitle(account: string, document: { id: string; title: string } | undefined): void {
  useEffect(() => {
    if (document) keepTitles(account, [document])
  }, [account, document])
}

/** The stored titles by the ids of their documents. */
export function readTitles(account: string): Readonly<Record<string, string>> {
  return Titles.catch({}).parse(readStoredJson(storageKey(account)))
}
