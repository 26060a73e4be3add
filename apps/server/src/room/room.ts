import { isFinal, type Message, type Run, UnstartedMention } from '@copydesk/protocol'
import { roomTypes } from '@copydesk/schema'
import * as Y from 'yjs'

/** The numbers of entries that the room document keeps; older messages and runs are available over HTTP. */
const kept = { messages: 200, finalRuns: 100 }

type Plain = Record<string, unknown>

/** Adds a run to the room document or updates its entry, writing only the differences. */
export function putRun(room: Y.Doc, run: Run): void {
  const runs = room.getMap<Y.Map<unknown>>(roomTypes.runs)
  room.transact(() => {
    let entry = runs.get(run.id)
    if (!entry) {
      dropOldRuns(runs)
      entry = new Y.Map()
      runs.set(run.id, entry)
    }
    const { steps, ...fields } = run
    writeFields(entry, fields, ['steps'])
    writeSteps(entry, steps)
  })
}

/** Adds a chat message to the room document or updates it. Appended text is written as an append. */
export function putMessage(room: Y.Doc, message: Message): void {
  const messages = room.getArray<Y.Map<unknown>>(roomTypes.messages)
  room.transact(() => {
    let entry = messages.toArray().find((candidate) => candidate.get('id') === message.id)
    if (!entry) {
      entry = new Y.Map()
      messages.push([entry])
      if (messages.length > kept.messages) messages.delete(0, messages.length - kept.messages)
    }
    const { text, ...fields } = message
    writeFields(entry, fields, ['text'])
    writeText(entry, text)
  })
}

/** The number of unstarted mentions that the room shows, the newest ones. */
export const unstartedKept = 200

/** Shows mentions that were sent and started no run, each under its own key. */
export function putUnstarted(room: Y.Doc, mentions: ReadonlyMap<string, UnstartedMention>): void {
  const shown = room.getMap(roomTypes.mentions)
  room.transact(() => {
    for (const [key, mention] of mentions) shown.set(key, mention)
    const over = shown.size - unstartedKept
    if (over <= 0) return
    const createdAt = (value: unknown): string => UnstartedMention.safeParse(value).data?.createdAt ?? ''
    const oldest = [...shown].toSorted(([, a], [, b]) => createdAt(a).localeCompare(createdAt(b)))
    for (const [key] of oldest.slice(0, over)) shown.delete(key)
  })
}

export function removeMessage(room: Y.Doc, id: string): void {
  const messages = room.getArray<Y.Map<unknown>>(roomTypes.messages)
  const index = messages.toArray().findIndex((candidate) => candidate.get('id') === id)
  if (index >= 0) messages.delete(index)
}

function dropOldRuns(runs: Y.Map<Y.Map<unknown>>): void {
  const over = [...runs.entries()].filter(([, entry]) => isFinal(entry.get('status') as Run['status']))
  over.sort(([, a], [, b]) => String(a.get('createdAt')).localeCompare(String(b.get('createdAt'))))
  for (const [id] of over.slice(0, Math.max(0, over.length - kept.finalRuns + 1))) runs.delete(id)
}

function writeFields(entry: Y.Map<unknown>, fields: Plain, nested: string[]): void {
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) entry.delete(key)
    else if (JSON.stringify(entry.get(key)) !== JSON.stringify(value)) entry.set(key, value)
  }
  for (const key of entry.keys()) if (!(key in fields) && !nested.includes(key)) entry.delete(key)
}

function writeSteps(entry: Y.Map<unknown>, steps: Run['steps']): void {
  let list = entry.get('steps')
  if (!(list instanceof Y.Array)) {
    list = new Y.Array()
    entry.set('steps', list)
  }
  const known = list as Y.Array<Y.Map<unknown>>
  steps.forEach((step, index) => {
    let map = known.length > index ? known.get(index) : undefined
    if (!map) {
      map = new Y.Map()
      known.push([map])
    }
    writeFields(map, step, [])
  })
  if (known.length > steps.length) known.delete(steps.length, known.length - steps.length)
}

function writeText(entry: Y.Map<unknown>, text: string): void {
  let shared = entry.get('text')
  if (!(shared instanceof Y.Text)) {
    shared = new Y.Text()
    entry.set('text', shared)
  }
  if (shared instanceof Y.Text) replaceText(shared, text)
}

function replaceText(shared: Y.Text, text: string): void {
  const current = shared.toJSON()
  if (text === current) return
  if (text.startsWith(current)) return shared.insert(current.length, text.slice(current.length))
  shared.delete(0, current.length)
  shared.insert(0, text)
}
