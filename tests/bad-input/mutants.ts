import * as Y from 'yjs'
import { seededRandom } from '@copydesk/testing'

/** What a mutated update does to a document: Yjs throws, it builds on something that isn't there, or it is applied. */
export type Effect = 'throws' | 'gap' | 'applies'
export type Mutant = { bytes: Uint8Array; fate: Effect }

/** A document that is the same at every call, with some text, a list and a mark. */
export function baseDocument(): Y.Doc {
  const doc = new Y.Doc({ gc: false })
  doc.clientID = 101
  const fragment = doc.getXmlFragment('default')
  const paragraphs = ['One two three', 'Four five six', 'Seven'].map((text) => {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(text)])
    return paragraph
  })
  fragment.insert(0, paragraphs)
  return doc
}

/** Edits of that document by other clients, each as one update. */
function validEdits(): Uint8Array[] {
  const edits: ((doc: Y.Doc) => void)[] = [
    (doc) => textOf(doc, 0).insert(4, 'inserted '),
    (doc) => textOf(doc, 0).delete(0, 4),
    (doc) => textOf(doc, 1).format(0, 4, { bold: {} }),
    (doc) => doc.getXmlFragment('default').insert(1, [new Y.XmlElement('horizontalRule')]),
    (doc) => doc.getXmlFragment('default').delete(1, 2),
    (doc) => (doc.getXmlFragment('default').get(0) as Y.XmlElement).setAttribute('threads', 'a b'),
    (doc) => {
      textOf(doc, 2).insert(0, 'twice ')
      textOf(doc, 2).delete(2, 3)
      textOf(doc, 1).insert(3, '😀')
    },
  ]
  return edits.map((edit, index) => {
    const doc = new Y.Doc({ gc: false })
    doc.clientID = 201 + index
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(baseDocument()))
    const before = Y.encodeStateVector(doc)
    edit(doc)
    return Y.encodeStateAsUpdate(doc, before)
  })
}

function textOf(doc: Y.Doc, block: number): Y.XmlText {
  return (doc.getXmlFragment('default').get(block) as Y.XmlElement).get(0) as Y.XmlText
}

/**
 * Mutated edits that still decode as updates, with what they do to a copy of `state`. The same seed makes the same
 * mutants; each byte sequence comes once.
 */
export function findMutants(seed: number, tries: number, state: Uint8Array): Mutant[] {
  const random = seededRandom(seed)
  const pick = (below: number): number => Math.floor(random() * below)
  const edits = validEdits()
  const seen = new Set<string>()
  const found: Mutant[] = []
  for (let round = 0; round < tries; round++) {
    const bytes = edits[pick(edits.length)]!.slice()
    for (let left = 1 + pick(3); left > 0; left--) bytes[pick(bytes.length)] = pick(256)
    const key = Buffer.from(bytes).toString('hex')
    if (seen.has(key) || !decodes(bytes)) continue
    seen.add(key)
    found.push({ bytes, fate: effectOf(bytes, state) })
  }
  return found
}

/** What an update does to a copy of `state`. */
export function effectOf(update: Uint8Array, state: Uint8Array): Effect {
  const scratch = new Y.Doc()
  try {
    Y.applyUpdate(scratch, state)
    Y.applyUpdate(scratch, update)
    return scratch.store.pendingStructs || scratch.store.pendingDs ? 'gap' : 'applies'
  } catch {
    return 'throws'
  } finally {
    scratch.destroy()
  }
}

function decodes(bytes: Uint8Array): boolean {
  try {
    Y.decodeUpdate(bytes)
    return true
  } catch {
    return false
  }
}
