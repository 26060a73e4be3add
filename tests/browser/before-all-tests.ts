import { shareTemplate } from '../../apps/server/src/testing/data-folder.ts'

/** Before any test: an empty database, with which the servers that tests start begin. Returns what deletes it. */
export default shareTemplate
