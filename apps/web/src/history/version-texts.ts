import type { Version } from '@copydesk/protocol'
import { listNames } from '../i18n/list-names.ts'
import { t } from '../i18n/translate.ts'
import { timeOf } from './in-days.ts'

type Known = { paragraphs: number | undefined; isFirst: boolean }

/** The description of a version: a title, and optionally a second line. */
export function describeVersion(version: Version, { paragraphs, isFirst }: Known): { title: string; detail?: string } {
  const { name, run, restored, author, writers } = version
  const names = listNames(writers.length > 0 ? writers : [author], { most: 3 })
  const agent = writers.find(({ kind }) => kind === 'agent')?.name ?? t('Agent')
  const happened = run
    ? {
        title: titleOf(run.agentName ?? agent, run.instruction),
        detail: t('Asked by {name}', { name: run.invokedBy.name }),
      }
    : restored
      ? { title: t('{name} restored {version}', { name: author.name, version: nameOf(restored) }) }
      : { title: isFirst ? t('Created by {name}', { name: names }) : nameWriters(names, paragraphs) }
  return name === null ? happened : { title: name, detail: happened.title }
}

// The instruction of an outside agent isn't known here: its name is used instead.
function titleOf(agent: string, instruction: string): string {
  return agent === instruction ? agent : `${agent}: ${instruction}`
}

/**
 * The writers and the extent of their changes: "Ana and Ben: 3 paragraphs". Only the names while the number is unknown
 * or 0.
 */
export function nameWriters(names: string, paragraphs: number | undefined): string {
  if (!paragraphs) return names
  return t('{names}: {count, plural, one {# paragraph} other {# paragraphs}}', { names, count: paragraphs })
}

/** The instructions to the agent in these versions; undefined if there are none. */
export function requestsIn(versions: readonly Version[]): string | undefined {
  const [newest, ...others] = versions.flatMap(({ run }) => run?.instruction ?? [])
  if (newest === undefined) return undefined
  if (others.length === 0) return t('“{name}”', { name: newest })
  return t('“{request}” and {count, plural, one {# more request} other {# more requests}}', {
    request: newest,
    count: others.length,
  })
}

function nameOf(version: { name: string | null; createdAt: string }): string {
  return version.name === null
    ? t('the version of {time}', { time: timeOf(version) })
    : t('“{name}”', { name: version.name })
}
