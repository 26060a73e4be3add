import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'

/** What a person does in the text, at the first occurrence of a text within one block. */
export type PersonEdit =
  /** Types `text` right after this text. */
  | { kind: 'type'; after: string; text: string }
  | { kind: 'delete'; text: string }
  /** Presses Enter right after this text. */
  | { kind: 'split'; after: string }
  /** Drags the top block that holds `text` before the one that holds `before`. */
  | { kind: 'move'; text: string; before: string }
  /** Deletes the top block that holds the text. */
  | { kind: 'remove'; text: string }

/** A person at an editor: a Yjs peer with a replica of its own. Close it when done; may be called twice. */
export type Person = {
  /** Makes an edit in the document as it is now; it reaches the document when the returned function is called. */
  edit(edit: PersonEdit): () => void
  close(): void
}

/** The origin of people's updates. As that of any remote update it is no object, as a session's origin is. */
export const personOrigin = 'person'

/** Opens a peer on a replica of `doc`. */
export function openPerson(doc: Y.Doc): Person {
  const replica = new Y.Doc()
  return {
    edit(edit) {
      Y.applyUpdate(replica, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(replica)))
      replica.transact(() => apply(replica.getXmlFragment(contentTypes.fragment), edit))
      return () => Y.applyUpdate(doc, Y.encodeStateAsUpdate(replica, Y.encodeStateVector(doc)), personOrigin)
    },
    close: () => replica.destroy(),
  }
}

function apply(fragment: Y.XmlFragment, edit: PersonEdit): void {
  switch (edit.kind) {
    case 'type': {
      const { text, index } = locate(fragment, edit.after)
      text.insert(index + edit.after.length, edit.text)
      return
    }
    case 'delete': {
      const { text, index } = locate(fragment, edit.text)
      text.delete(index, edit.text.length)
      return
    }
    case 'split': {
      const { text, index } = locate(fragment, edit.after)
      split(text, index + edit.after.length)
      return
    }
    case 'move': {
      const moved = topBlock(locate(fragment, edit.text).text)
      const target = topBlock(locate(fragment, edit.before).text)
      // As an editor does it: the block is deleted and a copy of it is inserted.
      fragment.insert(indexOf(fragment, target), [moved.clone()])
      fragment.delete(indexOf(fragment, moved), 1)
      return
    }
    case 'remove':
      fragment.delete(indexOf(fragment, topBlock(locate(fragment, edit.text).text)), 1)
  }
}

// As an editor does it: the text ends here, and the rest of it is a new block after this one.
function split(text: Y.XmlText, at: number): void {
  const block = text.parent
  const holder = block?.parent
  if (!(block instanceof Y.XmlElement) || !(holder instanceof Y.XmlElement || holder instanceof Y.XmlFragment)) {
    throw new Error('a case splits a text that is in no block')
  }
  const next = block.clone()
  holder.insert(indexOf(holder, block) + 1, [next])
  next.delete(0, next.length)
  const kept = text.clone()
  next.insert(0, [kept])
  kept.delete(0, at)
  text.delete(at, text.length - at)
}

function indexOf(holder: Y.XmlFragment, child: Y.XmlElement): number {
  const index = holder.toArray().indexOf(child)
  if (index < 0) throw new Error('a block is not in its holder')
  return index
}

function topBlock(text: Y.XmlText): Y.XmlElement {
  const { parent } = text
  if (!(parent instanceof Y.XmlElement)) throw new Error('a text is in no block')
  let block: Y.XmlElement = parent
  while (block.parent instanceof Y.XmlElement) block = block.parent
  return block
}

/** @throws if the text isn't there, since the case would then test something else. */
function locate(fragment: Y.XmlFragment, wanted: string): { text: Y.XmlText; index: number } {
  for (const text of textsIn(fragment)) {
    const index = charactersOf(text).indexOf(wanted)
    if (index >= 0) return { text, index }
  }
  throw new Error(`a person's edit expects ${JSON.stringify(wanted)} in the document`)
}

function* textsIn(type: Y.XmlFragment): Generator<Y.XmlText> {
  for (const child of type.toArray()) {
    if (child instanceof Y.XmlText) yield child
    else if (child instanceof Y.XmlElement) yield* textsIn(child)
  }
}

// An embedded atom is one character long, as it is in indexes.
function charactersOf(text: Y.XmlText): string {
  const delta: { insert: unknown }[] = text.toDelta()
  return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '\uFFFC')).join('')
}
