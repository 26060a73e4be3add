import type { Version } from '@copydesk/protocol'
import { t } from '../i18n/translate.ts'
import { timeOf } from './in-days.ts'

type Known = { paragraphs: number | undefined; isFirst: boolean }

/** What happened in a version, in words: a title, and a second line where there is more to say. */
export function wordsOf(version: Version, { paragraphs, isFirst }: Known): { title: string; detail?: string } {
  const { name, run, restored, author, writers } = version
  const names = joinNames(writers.length > 0 ? writers : [author])
  const agent = writers.find(({ kind }) => kind === 'agent')?.name ?? t('Agent')
  const happened = run
    ? { title: `${agent}: ${run.instruction}`, detail: `Asked by ${run.invokedBy.name}` }
    : restored
      ? { title: `${author.name} restored ${nameOf(restored)}` }
      : { title: isFirst ? `Created by ${names}` : nameWriters(names, paragraphs) }
  return name === null ? happened : { title: name, detail: happened.title }
}

/** Who changed how much: "Ana and Ben: 3 paragraphs". The names alone while the number is unknown or 0. */
export function nameWriters(names: string, paragraphs: number | undefined): string {
  if (!paragraphs) return names
  return `${names}: ${paragraphs.toLocaleString('en')} paragraph${paragraphs === 1 ? '' : 's'}`
}

/** What the agent was asked for in these versions; undefined if it wasn't. */
export function requestsIn(versions: readonly Version[]): string | undefined {
  const [newest, ...others] = versions.flatMap(({ run }) => run?.instruction ?? [])
  if (newest === undefined) return undefined
  const more = others.length === 0 ? '' : ` and ${others.length} more request${others.length === 1 ? '' : 's'}`
  return `“${newest}”${more}`
}

const named = 3

/** Up to three names, and how many more there are. */
export function joinNames(people: readonly { name: string }[]): string {
  const names = people.slice(0, named).map(({ name }) => name)
  const more = people.length - names.length
  return new Intl.ListFormat('en').format(more > 0 ? [...names, `${more} more`] : names)
}

function nameOf(version: { name: string | null; createdAt: string }): string {
  return version.name === null ? `the version of ${timeOf(version)}` : `“${version.name}”`
}
