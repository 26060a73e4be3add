import { catalogue, createNamedAddresses, createSpelledOut, type DocumentSessionOptions } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import { isFromOutside } from '../../runs/outside-runs.ts'
import type { RunRow, Tables } from '../../store/tables.ts'
import type { CallerRight } from './caller-right.ts'

/** Tracks whether a run has read outside text: from the web, or from people who aren't members. */
export type OutsideText = {
  /** Whether outside text may have influenced the calls in the model's current answer. */
  readonly mayInfluence: boolean
  /** Notes that a call has read outside text, which reaches the model with the next answer. */
  noteRead(): void
  answerStarted(): void
}

const outsideTools = catalogue.filter(({ isOutside }) => isOutside).map(({ name }) => name)

/**
 * Creates the tracking of a run. `mayInfluence` is true from the start if an earlier worker has read outside text
 * for the run, or if a guest has ever opened the document: guests' names, comments and text may be in any result.
 */
export async function createOutsideText(run: RunRow, db: Kysely<Tables>): Promise<OutsideText> {
  let mayInfluence = (await hasRead(run, db)) || (await hasGuests(run, db))
  let isRead = false
  return {
    get mayInfluence() {
      return mayInfluence
    },
    noteRead: () => void (isRead = true),
    answerStarted: () => void (mayInfluence ||= isRead),
  }
}

async function hasRead({ id }: RunRow, db: Kysely<Tables>): Promise<boolean> {
  const step = await db
    .selectFrom('run_steps')
    .select('id')
    .where('run', '=', id)
    .where((eb) =>
      eb.or([
        eb.and([eb('tool', 'in', outsideTools), eb('status', '=', 'ok')]),
        // All answers of tool servers are outside text, also errors.
        eb('sent_at', 'is not', null),
      ]),
    )
    .executeTakeFirst()
  return step !== undefined
}

async function hasGuests({ document }: RunRow, db: Kysely<Tables>): Promise<boolean> {
  const guest = await db
    .selectFrom('links')
    .innerJoin('link_visits', 'link_visits.link', 'links.id')
    .innerJoin('people', 'people.id', 'link_visits.person')
    .select('people.id')
    .where('links.document', '=', document)
    .where('people.guest', '=', 1)
    .executeTakeFirst()
  return guest !== undefined
}

/**
 * The requests that the caller has approved by writing them in the instruction: addresses, and after outside text also
 * the words of a search. As for an approval, the caller needs write access.
 */
export function egressFor(
  run: RunRow,
  right: CallerRight,
  outside: OutsideText,
): Pick<DocumentSessionOptions, 'isNamed' | 'maySearch'> {
  // The server wrote the instruction of an outside agent's run.
  const instruction = isFromOutside(run) ? '' : run.instruction
  const isNamed = createNamedAddresses(instruction)
  const isSpelledOut = createSpelledOut(instruction)
  return {
    isNamed: (address) => right.canEdit && isNamed(address),
    maySearch: (query) => right.canEdit && (!outside.mayInfluence || isSpelledOut(query)),
  }
}
