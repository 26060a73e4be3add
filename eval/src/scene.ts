import { contentTypes, readChanges, readFragment, resolveChanges, schema } from '@copydesk/schema'
import { serializeBlock, serializeMarkdown } from '@copydesk/schema/markdown'
import {
  type DocumentSession,
  executeToolCall,
  type LiveSelection,
  openHeadlessSession,
  type ReviewHost,
  type ToolResult,
} from '@copydesk/tools'
import * as Y from 'yjs'
import { buildDocument, placeOf } from './case-document.ts'
import type { EvalCase, Place, SelectedText, Turn } from './eval-case.ts'
import type { DocumentState } from './outcome.ts'
import { openResources, type OpenedResources, type ResourcesState } from './resources.ts'
import { openPerson, type Person, personOrigin } from './person-edits.ts'
import { readHighlightsOf, readThreadsOf } from './room-threads.ts'
import { createRunHistory, type RunHistory } from './run-history.ts'

/** A case's document with its room, ready for runs. Close it when done; may be called twice. */
export type Scene = {
  /** Opens the session of a run, as the server does: numbers of an earlier run mean nothing in it. */
  openRun(turn: Turn): RunScene
  /** Whether a run has written into the document, with its people's edits left out. */
  readonly wrote: boolean
  state(): DocumentState
  outside(): ResourcesState
  close(): Promise<void>
}

/** The session of one run. Close it when the run has ended; may be called twice. */
export type RunScene = {
  readonly session: DocumentSession
  /** Where the run was called, if not in the chat: the kind, and where the text is now. */
  readonly place: { kind: Place['kind']; pos: number } | undefined
  readonly history: RunHistory
  /** To be called around each call of the model, from call 0. */
  beforeCall(index: number): void
  afterCall(index: number, result: ToolResult): void
  /** Makes the edits of people that are left, and closes the session. */
  end(): void
}

/**
 * Builds the document of a case: its text, and the comments and suggestions that others left.
 * @throws if the case is wrong: its review steps fail, or a text that it names isn't there.
 */
export async function openScene(given: EvalCase): Promise<Scene> {
  const doc = new Y.Doc()
  const room = new Y.Doc()
  Y.applyUpdate(doc, buildDocument(given), 'build')
  await review(given, doc, room)
  const history = createRunHistory(doc)
  const people = new Map<string, Person>()
  const resources = openResources(given)
  let wrote = false
  doc.on('update', (_update: Uint8Array, origin: unknown) => void (wrote ||= origin !== personOrigin))
  return {
    get wrote() {
      return wrote
    },
    openRun: (turn) => openRun(turn, given, { doc, room, history, people, resources }),
    state: () => readState(doc, room),
    outside: () => resources.state(),
    async close() {
      for (const person of people.values()) person.close()
      history.close()
      doc.destroy()
      room.destroy()
      await resources.close()
    },
  }
}

type Parts = { doc: Y.Doc; room: Y.Doc; history: RunHistory; people: Map<string, Person>; resources: OpenedResources }

function openRun(
  turn: Turn,
  { id, mode = 'edit' }: EvalCase,
  { doc, room, history, people, resources }: Parts,
): RunScene {
  let selection: LiveSelection | undefined
  const headless = openHeadlessSession({ doc, room, mode, selection: () => selection })
  const { host } = headless
  const session = host
    ? { ...headless, host: { ...host, ...resourceHosts(resources), history: history.host } }
    : headless
  selection = select(id, turn, session)
  const left = new Set(turn.concurrentEdits)
  const held: (() => void)[] = []
  const personOf = (name: string): Person => {
    const person = people.get(name) ?? openPerson(doc)
    people.set(name, person)
    return person
  }
  const editAll = (isDue: (call: number) => boolean): void => {
    for (const each of left) {
      if (!isDue(each.call)) continue
      left.delete(each)
      const deliver = personOf(each.by).edit(each.edit)
      if (each.late === true) held.push(deliver)
      else deliver()
    }
  }
  const deliverAll = (): void => held.splice(0).forEach((deliver) => deliver())
  return {
    session,
    history,
    place: turn.calledFrom && placeIn(id, turn.calledFrom, session),
    beforeCall: (index) => editAll((call) => call <= index),
    afterCall(_index, result) {
      history.note(result)
      deliverAll()
    },
    end() {
      editAll(() => true)
      deliverAll()
      session.close()
    },
  }
}

function resourceHosts({ project, web }: OpenedResources): Pick<ReviewHost, 'project' | 'web'> {
  return { ...(project ? { project } : {}), ...(web ? { web } : {}) }
}

async function review({ id, review: steps = [] }: EvalCase, doc: Y.Doc, room: Y.Doc): Promise<void> {
  for (const [index, { by, tool, input }] of steps.entries()) {
    const caller = { id: by.toLowerCase(), name: by, kind: 'person' as const }
    const session = openHeadlessSession({ doc, room, caller })
    try {
      const result = await executeToolCall(tool, input, session, { callId: `review-${index}` })
      if (!result.ok) throw new Error(`${id}: its review can't be set up: ${result.text}`)
    } finally {
      session.close()
    }
  }
}

function select(id: string, { selection, caret }: Turn, session: DocumentSession): LiveSelection | undefined {
  const wanted: SelectedText | undefined = selection ?? caret
  if (wanted === undefined) return undefined
  const read = session.view()
  if (!read.ok) throw new Error(`${id}: ${read.text}`)
  const first = placeOf(read.view.doc, typeof wanted === 'string' ? wanted : wanted.from)
  const last = typeof wanted === 'string' ? first : placeOf(read.view.doc, wanted.to)
  if (!first || !last) throw new Error(`${id}: the selected text isn't in the document`)
  const { anchor, head } = session.rangeAt(selection === undefined ? last.to : first.from, last.to)
  return { anchor: Y.createRelativePositionFromJSON(anchor), head: Y.createRelativePositionFromJSON(head) }
}

function placeIn(id: string, { kind, text }: Place, session: DocumentSession): RunScene['place'] {
  const read = session.view()
  const found = read.ok ? placeOf(read.view.doc, text) : undefined
  if (!found) throw new Error(`${id}: the place where it is called isn't in the document`)
  return { kind, pos: found.from }
}

function readState(doc: Y.Doc, room: Y.Doc): DocumentState {
  const read = readFragment(doc.getXmlFragment(contentTypes.fragment), schema)
  if (!read.ok) throw new Error(`the document can't be read: ${JSON.stringify(read.problems)}`)
  read.doc.check()
  const meta = doc.getMap(contentTypes.meta)
  const textOf = (key: string): string | null => {
    const value: unknown = meta.get(key)
    return typeof value === 'string' ? value : null
  }
  const yaml = textOf('frontmatter')
  const changes = readChanges(read.doc)
  const blocksOf = (view: 'original' | 'accepted'): string[] => {
    return resolveChanges(read.doc, view).children.map((node) => serializeBlock(node))
  }
  const markdown = serializeMarkdown(read.doc, yaml)
  const original = blocksOf('original')
  return {
    title: textOf('title') ?? '',
    markdown,
    accepted: changes.length === 0 ? markdown : serializeMarkdown(read.doc, yaml, { changes: 'accepted' }),
    blocks: { original, accepted: changes.length === 0 ? original : blocksOf('accepted') },
    changes,
    threads: readThreadsOf(room),
    highlights: readHighlightsOf(room),
  }
}
