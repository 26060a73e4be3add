import {
  contentTypes,
  createBindingMetadata,
  readChangeIds,
  reviewMarkNames,
  schema,
  writeFragment,
} from '@copydesk/schema'
import { applyTransform, createFragmentReader } from '@copydesk/tools'
import type { Editor } from '@tiptap/core'
import { type Node, type Schema, Fragment, Mark, Slice } from 'prosemirror-model'
import {
  type Step,
  type Transform,
  AddMarkStep,
  AttrStep,
  RemoveMarkStep,
  ReplaceAroundStep,
  ReplaceStep,
} from 'prosemirror-transform'
import * as Y from 'yjs'
import { diffDocument } from './diff-document.ts'

/** A Y.Doc with the document of an editor, synchronized until the mirror is closed. */
export type Mirror = {
  readonly doc: Y.Doc
  readonly fragment: Y.XmlFragment
  readonly reader: ReturnType<typeof createFragmentReader>
  /** Whether the editor's schema supports suggested changes. */
  readonly canSuggest: boolean
  /** Why the tools can't work on the editor's document now. */
  problem(): string | undefined
  /** Why changes of the Y.Doc were reverted since the last call of this function. */
  consumeRefusal(): string | undefined
  /** Stops observing the editor. May be called twice. */
  close(): void
}

/** The part of a TipTap editor that the mirror observes. */
export type FollowedEditor = Pick<Editor, 'state' | 'schema' | 'view' | 'on' | 'off'>

/**
 * Synchronizes a new Y.Doc with an editor: each transaction of the editor is written to the Y.Doc, and each change of
 * the Y.Doc becomes one transaction of the editor, with the minimal steps. Positions are equal on both sides; marks and
 * attributes that only one side knows are kept there. Content that the editor's schema doesn't allow is reverted in the
 * Y.Doc, see `consumeRefusal`.
 * @throws if the document has a node that the tools don't know.
 */
export function createMirror(editor: FollowedEditor, options: { addToHistory: boolean }): Mirror {
  const doc = new Y.Doc()
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  writeFragment(fragment, fromEditor(editor.state.doc), createBindingMetadata())
  const reader = createFragmentReader(doc, fragment)
  const canSuggest = holdsSuggestions(editor.schema)
  const { pull, push, ...state } = createSync(editor, { doc, fragment, reader, canSuggest, ...options })
  // A write to one side causes an event of the other.
  let isWriting = false
  const exclusively = (...acts: readonly (() => void)[]): void => {
    if (isWriting) return
    isWriting = true
    try {
      for (const act of acts) act()
    } finally {
      isWriting = false
    }
  }
  const onEditor = (): void => exclusively(pull)
  // Plugins of the editor may add changes to the pushed ones.
  const onSession = (): void => exclusively(push, pull)
  editor.on('transaction', onEditor)
  doc.on('afterAllTransactions', onSession)
  return {
    doc,
    fragment,
    reader,
    canSuggest,
    ...state,
    close() {
      editor.off('transaction', onEditor)
      doc.off('afterAllTransactions', onSession)
      reader.close()
    },
  }
}

type Sides = Pick<Mirror, 'doc' | 'fragment' | 'reader' | 'canSuggest'> & { addToHistory: boolean }

/** Copies the changes of one side to the other when called. */
function createSync(editor: FollowedEditor, { doc, fragment, reader, canSuggest, addToHistory }: Sides) {
  const origin = {}
  let known = { editor: editor.state.doc, session: readDocument(reader) }
  let problem: string | undefined
  let refusal: string | undefined
  const write = (transform: Transform): void => {
    doc.transact(() => applyTransform(fragment, transform, reader), origin)
  }
  return {
    pull() {
      const now = editor.state.doc
      if (now === known.editor) return
      try {
        const next = replay(diffDocument(known.editor, now).steps, known.session) ?? fromEditor(now)
        write(diffDocument(known.session, next))
        known = { editor: now, session: readDocument(reader) }
        problem = undefined
      } catch (error) {
        problem = `The editor holds something that the tools can't read: ${messageOf(error)}.`
      }
    },
    push() {
      const now = readDocument(reader)
      if (now.eq(known.session)) return
      const dispatched = dispatch(editor, diffDocument(known.session, now), canSuggest, addToHistory)
      if (dispatched.ok) known = { editor: dispatched.doc, session: now }
      else {
        refusal = dispatched.message
        write(diffDocument(now, known.session))
        known = { ...known, session: readDocument(reader) }
      }
    },
    problem: () => problem,
    consumeRefusal() {
      const taken = refusal
      refusal = undefined
      return taken
    },
  }
}

function fromEditor(doc: Node): Node {
  const converted = convertNode(doc, schema)
  converted.check()
  return converted
}

function readDocument(reader: Mirror['reader']): Node {
  const read = reader.read()
  if (!read.ok) throw new Error(read.message)
  return read.view.doc
}

/** The document after the steps, converted to its schema; undefined if one of them doesn't apply. */
function replay(steps: readonly Step[], doc: Node): Node | undefined {
  try {
    let now = doc
    for (const step of steps) {
      const result = convertStep(step, now)?.apply(now)
      if (result && !result.doc) return undefined
      now = result?.doc ?? now
    }
    now.check()
    return now
  } catch {
    return undefined
  }
}

type Dispatched = { ok: true; doc: Node } | { ok: false; message: string }

function dispatch(editor: FollowedEditor, change: Transform, canSuggest: boolean, addToHistory: boolean): Dispatched {
  if (!canSuggest && readChangeIds(change.doc).length > 0) {
    return { ok: false, message: "The editor's schema has no suggested changes." }
  }
  const { tr } = editor.state
  try {
    for (const step of change.steps) {
      const converted = convertStep(step, tr.doc)
      if (converted) tr.step(converted)
    }
    tr.doc.check()
  } catch (error) {
    return { ok: false, message: `The editor can't hold this: ${messageOf(error)}.` }
  }
  const expected = tr.doc
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', addToHistory))
  return { ok: true, doc: expected }
}

function holdsSuggestions(editor: Schema): boolean {
  const hasAttribute = Object.hasOwn(editor.nodes['paragraph']?.spec.attrs ?? {}, 'suggestion')
  return hasAttribute && reviewMarkNames.every((name) => editor.marks[name] !== undefined)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * A node in another schema, by the names of its types. Marks and attributes that the schema lacks are omitted, so that
 * all positions are equal. Whether the schema allows the content is not checked.
 * @throws for a node whose type the schema lacks, with its name.
 */
export function convertNode(node: Node, schema: Schema): Node {
  const type = schema.nodes[node.type.name]
  if (!type) throw new Error(`there is no node ${node.type.name} in the schema`)
  const marks = convertMarks(node.marks, schema)
  if (node.isText) return schema.text(node.text ?? '', marks)
  const content = convertFragment(node.content, schema)
  const kept = content.content.map((child) => child.mark(type.allowedMarks(child.marks)))
  return type.create(node.attrs, kept, marks)
}

/**
 * A step in another schema; undefined if it changes only marks or attributes that the schema lacks. `doc` is the
 * document of that schema to which the step is about to be applied.
 * @throws as `convertNode`.
 */
function convertStep(step: Step, doc: Node): Step | undefined {
  const { schema } = doc.type
  if (step instanceof ReplaceStep) return new ReplaceStep(step.from, step.to, convertSlice(step.slice, schema))
  if (step instanceof ReplaceAroundStep) {
    const { from, to, gapFrom, gapTo, slice, insert } = step
    return new ReplaceAroundStep(from, to, gapFrom, gapTo, convertSlice(slice, schema), insert)
  }
  if (step instanceof AddMarkStep || step instanceof RemoveMarkStep) {
    const [mark] = convertMarks([step.mark], schema)
    if (!mark) return undefined
    const Kind = step instanceof AddMarkStep ? AddMarkStep : RemoveMarkStep
    return new Kind(step.from, step.to, mark)
  }
  if (!(step instanceof AttrStep)) throw new RangeError(`a step of this kind can't be converted`)
  const isKnown = Object.hasOwn(doc.nodeAt(step.pos)?.type.spec.attrs ?? {}, step.attr)
  return isKnown ? new AttrStep(step.pos, step.attr, step.value) : undefined
}

function convertSlice(slice: Slice, schema: Schema): Slice {
  return new Slice(convertFragment(slice.content, schema), slice.openStart, slice.openEnd)
}

function convertFragment(fragment: Fragment, schema: Schema): Fragment {
  return Fragment.from(fragment.content.map((child) => convertNode(child, schema)))
}

// `addToSet` drops marks that exclude each other in the other schema, such as a link on code.
function convertMarks(marks: readonly Mark[], schema: Schema): readonly Mark[] {
  return marks.reduce<readonly Mark[]>((kept, mark) => {
    return schema.marks[mark.type.name]?.create(mark.attrs).addToSet(kept) ?? kept
  }, Mark.none)
}
