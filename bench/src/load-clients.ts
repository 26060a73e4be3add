/**
 * The process that holds the clients of the load measurement; executes the commands of `load.ts` one after the other.
 */
import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import { joinAsWriter, type LoadClient, openSocket, paragraph } from './load-client.ts'
import type { LoadAnswer, LoadDocument, LoadRequest, Spans } from './load-protocol.ts'
import { percentile } from './percentile.ts'

type Person = {
  client: LoadClient
  number: number
  inDocument: number
  typed: number
  sent: number[]
  acknowledged: number
}

const people: Person[] = []
const typedAt = new Map<string, number>()
let acknowledgedIn: number[] = []
let propagatedIn: number[] = []
let isMeasuring = false
let onAcknowledged: (person: Person) => void = () => undefined
let missingMarks = 0
// At full speed no client waits for the disk; otherwise the server would be idle.
const typedAhead = 8

async function joinAll(url: string, documents: readonly LoadDocument[]): Promise<void> {
  for (const { name, tokens } of documents) {
    const laidOut = Promise.withResolvers<void>()
    const enter = async (index: number): Promise<void> => {
      const person: Person = {
        client: { type() {}, close() {} },
        number: people.length,
        inDocument: tokens.length,
        typed: 0,
        sent: [],
        acknowledged: 0,
      }
      people.push(person)
      person.client = await joinAsWriter(
        { url, name, token: tokens[index] ?? '', index, count: tokens.length },
        {
          onMark: (mark) => onMark(mark, person),
          onAcknowledged() {
            laidOut.resolve()
            const at = person.sent.shift()
            if (at === undefined) return
            person.acknowledged++
            if (isMeasuring) acknowledgedIn.push(performance.now() - at)
            onAcknowledged(person)
          },
          onClosed: () => undefined,
        },
      )
    }
    await enter(0)
    // The first client creates the paragraphs for all later ones.
    await laidOut.promise
    await Promise.all(tokens.slice(1).map((_, index) => enter(index + 1)))
  }
}

function onMark(mark: string, { number }: Person): void {
  const at = typedAt.get(mark)
  // Some servers send clients their own updates, too.
  if (at === undefined || mark.startsWith(`<${number}.`)) return
  missingMarks--
  if (isMeasuring) propagatedIn.push(performance.now() - at)
}

function typeAs(person: Person): void {
  const mark = `<${person.number}.${person.typed++}>`
  const now = performance.now()
  typedAt.set(mark, now)
  person.sent.push(now)
  missingMarks += person.inDocument - 1
  person.client.type(mark)
}

async function type(everyMs: number | null, seconds: number): Promise<LoadAnswer> {
  acknowledgedIn = []
  propagatedIn = []
  missingMarks = 0
  typedAt.clear()
  let isOver = false
  const timers: NodeJS.Timeout[] = []
  onAcknowledged = everyMs === null ? (person) => void (isOver || typeAs(person)) : () => undefined
  people.forEach((person, index) => {
    person.sent = []
    if (everyMs === null) {
      for (let ahead = 0; ahead < typedAhead; ahead++) typeAs(person)
      return
    }
    // Each client has its own offset, spread over the whole interval.
    timers.push(
      setTimeout(
        () => {
          typeAs(person)
          timers.push(setInterval(() => typeAs(person), everyMs))
        },
        (index * everyMs) / people.length,
      ),
    )
  })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const cpu = process.cpuUsage()
  const before = people.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  process.send?.({ kind: 'moment', moment: 'begins' })
  isMeasuring = true
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  isMeasuring = false
  const { user, system } = process.cpuUsage(cpu)
  const typed = people.reduce((sum, { acknowledged }) => sum + acknowledged, 0) - before
  process.send?.({ kind: 'moment', moment: 'ends' })
  isOver = true
  for (const timer of timers) clearTimeout(timer)
  const end = performance.now() + 10_000
  while (missingMarks > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  return {
    typed,
    acknowledged: spansOf(acknowledgedIn),
    propagated: spansOf(propagatedIn),
    busy: (user + system) / 1e6 / seconds,
    missing: missingMarks,
  }
}

function spansOf(values: readonly number[]): Spans {
  return {
    count: values.length,
    p50: percentile(values, 0.5),
    p99: percentile(values, 0.99),
    max: percentile(values, 1),
  }
}

async function seedLarge(url: string, document: string, token: string, bytes: number): Promise<void> {
  const stored = Promise.withResolvers<void>()
  const socket = await openSocket(
    url,
    document,
    token,
    (frame) => void (frame === 8 && stored.resolve()),
    () => undefined,
  )
  const doc = new Y.Doc()
  Y.applyUpdate(doc, socket.state)
  const vector = Y.encodeStateVector(doc)
  const words = 'a library is a room that lets strangers think side by side until the lamps go out '.repeat(5)
  doc.getXmlFragment('default').push(Array.from({ length: Math.ceil(bytes / words.length) }, () => paragraph(words)))
  socket.send(0, (encoder) => {
    encoding.writeVarUint(encoder, 2)
    encoding.writeVarUint8Array(encoder, Y.encodeStateAsUpdate(doc, vector))
  })
  await stored.promise
  socket.close()
}

/** Opens the document, gets all of it, and closes it, again and again. */
async function joinLarge(request: LoadRequest & { kind: 'join-large' }): Promise<{ took: Spans; bytes: number }> {
  const took: number[] = []
  let bytes = 0
  for (let time = 0; time < request.times; time++) {
    const at = performance.now()
    const socket = await openSocket(
      request.url,
      request.document,
      request.token,
      () => undefined,
      () => undefined,
    )
    took.push(performance.now() - at)
    bytes = socket.state.byteLength
    socket.close()
    await new Promise((resolve) => setTimeout(resolve, request.everyMs))
  }
  return { took: spansOf(took), bytes }
}

async function perform(request: LoadRequest): Promise<unknown> {
  switch (request.kind) {
    case 'join':
      return joinAll(request.url, request.documents)
    case 'type':
      return type(request.everyMs, request.seconds)
    case 'seed-large':
      return seedLarge(request.url, request.document, request.token, request.bytes)
    case 'join-large':
      return joinLarge(request)
  }
}

process.on('message', (request: LoadRequest) => {
  perform(request).then(
    (value) => process.send?.({ kind: 'answer', value }),
    (error: unknown) => process.send?.({ kind: 'failed', message: String(error) }),
  )
})
