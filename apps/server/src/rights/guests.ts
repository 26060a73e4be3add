import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * A query for the ids of people whose runs count together with this person's: the person, and for a guest all guests of
 * the same links. A link's holder can create any number of guests.
 */
export function peopleOfBudget(person: string, db: Kysely<Tables>) {
  const self = db.selectFrom('people').select('people.id').where('people.id', '=', person)
  const links = db
    .selectFrom('link_visits')
    .innerJoin('people', 'people.id', 'link_visits.person')
    .select('link_visits.link')
    .where('link_visits.person', '=', person)
    .where('people.guest', '=', 1)
  const guests = db
    .selectFrom('link_visits')
    .innerJoin('people', 'people.id', 'link_visits.person')
    .select('people.id')
    .where('people.guest', '=', 1)
    .where('link_visits.link', 'in', links)
  return self.union(guests)
}
