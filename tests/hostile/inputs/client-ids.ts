import { addBlock, firstClient } from '../blocks.ts'
import { always, type HostileInput, postUpdate, sendUpdates, type Step, type Target } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { text, UpdateWriter } from '../update-writer.ts'

const { clientsInUpdate, clientsOfAccount, clientsInDocument } = limits

/** One paragraph under each of so many client ids, each after the one before. */
function paragraphOfEach(count: number, from = firstClient): Uint8Array {
  const writer = new UpdateWriter()
  let after
  for (let index = 0; index < count; index++) after = addBlock(writer.block(from + index), [text('x')], { after })
  return writer.bytes()
}

/** Updates with as many new ids as one may have, until there are so many. */
function inParts(count: number, from = firstClient): Uint8Array[] {
  const updates: Uint8Array[] = []
  for (let done = 0; done < count; done += clientsInUpdate) {
    updates.push(paragraphOfEach(Math.min(clientsInUpdate, count - done), from + done))
  }
  return updates
}

const perConnection = 100
const perAccount = clientsOfAccount / perConnection

/** Connections of accounts, each with as many ids as it may have, until there are so many. */
function onConnections(at: Target, count: number, accountOf: (connection: number) => string): Step[] {
  const steps: Step[] = []
  for (let done = 0; done < count; done += perConnection) {
    const updates = inParts(Math.min(perConnection, count - done), firstClient + done)
    const connection = done / perConnection
    steps.push(sendUpdates(at, updates, `${accountOf(connection)}/${connection}`))
  }
  return steps
}

/** New client ids: in one update, of one account, in one document. */
export const clientIds: readonly HostileInput[] = [
  {
    name: 'as many new ids as an update may have',
    limit: `${clientsInUpdate} new client ids in an update`,
    scale: always(clientsInUpdate),
    build: (size, at) => [sendUpdates(at, [paragraphOfEach(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'one new id too many in an update',
    limit: `${clientsInUpdate} new client ids in an update`,
    scale: always(clientsInUpdate + 1),
    build: (size, at) => [sendUpdates(at, [paragraphOfEach(size)])],
    expect: refusals.tooManyClients,
  },
  {
    name: 'one new id too many in an update by HTTP',
    limit: `${clientsInUpdate} new client ids in an update`,
    scale: always(clientsInUpdate + 1),
    build: (size, at) => [postUpdate(at, paragraphOfEach(size))],
    expect: 413,
  },
  {
    name: 'very many new ids in an update',
    limit: `${clientsInUpdate} new client ids in an update`,
    scale: { ci: 20_000, full: 400_000 },
    build: (size, at) => [sendUpdates(at, [paragraphOfEach(size)])],
    expect: [refusals.tooManyClients, refusals.tooCostly],
  },
  {
    name: 'as many new ids as an account may have',
    limit: `${clientsOfAccount} client ids of an account in a document`,
    scale: always(clientsOfAccount),
    build: (size, at) => onConnections(at, size, () => 'Mallory'),
    expect: 'acknowledged',
  },
  {
    name: 'one new id too many of an account',
    limit: `${clientsOfAccount} client ids of an account in a document`,
    scale: always(clientsOfAccount + 1),
    build: (size, at) => onConnections(at, size, () => 'Mallory'),
    expect: refusals.tooManyClients,
  },
  {
    name: 'as many ids as a document may have',
    limit: `${clientsInDocument} client ids in a document`,
    scale: { ci: 0, full: clientsInDocument },
    build: (size, at) => onConnections(at, size, (connection) => `Mallory${Math.floor(connection / perAccount)}`),
    // The document's own first id counts, too.
    expect: ['acknowledged', refusals.tooManyClients],
  },
  {
    name: 'too many ids in a document',
    limit: `${clientsInDocument} client ids in a document`,
    scale: { ci: 0, full: clientsInDocument + 1 },
    build: (size, at) => onConnections(at, size, (connection) => `Mallory${Math.floor(connection / perAccount)}`),
    expect: refusals.tooManyClients,
  },
  {
    name: 'an id of 53 bits',
    limit: 'client ids that Yjs reads',
    scale: always(1),
    build: (_, at) => [sendUpdates(at, [paragraphOfEach(1, Number.MAX_SAFE_INTEGER)])],
    expect: ['acknowledged', refusals.invalid],
  },
]
