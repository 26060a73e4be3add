import { catalogue, createNamedAddresses, createSpelledOut, type DocumentSessionOptions } from '@copydesk/tools'
import type { Kysely } from 'kysely'
import { isFromOutside } from '../../runs/outside-runs.ts'
import type { RunRow, Tables } from '../../store/tables.ts'
import type { CallerRight } from './caller-right.ts'

/** What a run has read of text from outside: of the web, and of people who aren't members. */
export type OutsideText = {
  /** Whether such text may determine what the model's current answer calls. */
  readonly steers: boolean
  /** Notes that a call has read such text: it reaches the model with the next answer. */
  noteRead(): void
  answerStarted(): void
}

const outsideTools = catalogue.filter(({ isOutside }) => isOutside).map(({ name }) => name)

/**
 * Follows what a run reads from outside. It begins as steered if an earlier worker has read such text for it, or if a
 * guest has ever entered the document: their names, comments and text may be in anything that the run is shown.
 */
export async function createOutsideText(run: RunRow, db: Kysely<Tables>): Promise<OutsideText> {
  let steers = (await hasRead(run, db)) || (await hasGuests(run, db))
  let isRead = false
  return {
    get steers() {
      return steers
    },
    noteRead: () => void (isRead = true),
    answerStarted: () => void (steers ||= isRead),
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
        // What a tool server answers is from outside, errors too.
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
 * What the caller has approved by writing it in the instruction: addresses, and after text from outside also the words
 * of a search. That takes the right to edit, as approving does.
 */
export function egressFor(
  run: RunRow,
  right: CallerRight,
  outside: OutsideText,
): Pick<DocumentSessionOptions, 'isNamed' | 'maySearch'> {
  // The instruction of an agent of another program is the server's.
  const instruction = isFromOutside(run) ? '' : run.instruction
  const isNamed = createNamedAddresses(instruction)
  const isSpelledOut = createSpelledOut(instruction)
  return {
    isNamed: (address) => right.canEdit && isNamed(address),
    maySearch: (query) => right.canEdit && (!outside.steers || isSpelledOut(query)),
  }
}
