import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * The ids of those whose runs count together with somebody's, as a query: their own, and of a guest those of all guests by the same links.
 * Who has a link becomes as many guests as they like.
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
