/** Before any test: an empty database, with which the servers that tests start begin. */
export { makeEmptyDatabase as default } from '../support/empty-database.ts'
