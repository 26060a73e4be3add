import * as Y from 'yjs'
import * as write from './update-writer.ts'
import { type BlockWriter, type Content, type Id, UpdateWriter } from './update-writer.ts'

/** What an update is extreme in. */
export const extremes = [
  'roots',
  'ids',
  'depth',
  'width',
  'attributes',
  'formats',
  'deletes',
  'clocks',
  'lengths',
  'siblings',
  'overwrites',
] as const
export type Extreme = (typeof extremes)[number]

/** An update that Yjs can apply to the document that it was made for, and what it is extreme in. */
export type RandomUpdate = { bytes: Uint8Array; extreme: Extreme; isValid: boolean }

/** The first and the last unit of an item. */
type Child = { first: Id; last: Id }

/** Where children can go: a type, and what is in it from the left to the right. */
type Parent = { into: string | Id; children: Child[]; kind: 'blocks' | 'text' | 'other' }

/** Who writes: the client id, and how far it has come. */
export type Author = { client: number; clock: number }

type Work = { writer: UpdateWriter; to: BlockWriter; parents: Parent[]; doc: Y.Doc; isValid: boolean }

const blocks = ['paragraph', 'paragraph', 'heading', 'blockquote', 'codeBlock', 'horizontalRule', 'bulletList']
const roots = ['default', 'meta', 'other', '', 'constructor', 'default2']
const keys = ['threads', 'suggestion', 'level', 'x', '__proto__']

/**
 * Makes random updates of a size around `most`, legal to Yjs and causally complete: half of them with content that the
 * schema allows, half with whatever Yjs can hold. The same numbers make the same updates.
 */
export function createRandomUpdates(random: () => number, most: number): (doc: Y.Doc, author: Author) => RandomUpdate {
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  // Small ones are as likely as large ones.
  const size = (limit = most): number => Math.ceil(limit ** random())

  const content = (isValid: boolean): Content => {
    if (isValid) return write.element(pick(blocks))
    return pick<() => Content>([
      () => write.element(pick([...blocks, 'marquee'])),
      () => write.text('arbitrary'),
      () => write.type(pick(['array', 'map', 'text', 'xmlText', 'fragment'])),
      () => write.any(below(100), null, { x: [true] }, 'any'),
      () => write.json({ x: 1 }),
      () => write.binary(new Uint8Array(below(50))),
      () => write.embed({ x: 1 }),
      () => write.format('bold', {}),
      () => write.deleted(1 + below(20)),
      () => write.subDocument('sub'),
    ])()
  }
  /**
   * Between two neighbours, as every editor does: where others are between them already, copies put it at different
   * places.
   */
  const insert = ({ to }: Work, parent: Parent, made: Content, at = below(parent.children.length + 1)): Id => {
    const { children } = parent
    const left = at > 0 ? children[at - 1]?.last : undefined
    const right = children[at]?.first
    const first = to.next
    const last = to.add(made, { ...(left ? { left } : {}), ...(right ? { right } : {}), parent: parent.into })
    children.splice(at, 0, { first, last })
    return last
  }
  const parentOf = (work: Work, kind: Parent['kind']): Parent => {
    const found = work.parents.filter((each) => each.kind === kind)
    if (found.length > 0) return pick(found)
    const top = work.parents[0]!
    const paragraph = insert(work, top, write.element('paragraph'))
    const into = work.to.add(write.type('xmlText'), { parent: paragraph })
    const made: Parent = { into, children: [], kind: 'text' }
    work.parents.push(made)
    return made
  }
  const anywhere = (work: Work): Parent =>
    work.isValid || random() < 0.3 ? work.parents[0]! : { into: pick(roots), children: [], kind: 'other' }

  const makers: Record<Extreme, (work: Work) => void> = {
    roots(work) {
      for (let left = size(); left > 0; left--) {
        if (work.isValid) insert(work, work.parents[0]!, content(true))
        else work.to.add(content(false), { parent: `root${below(most)}` })
      }
    },
    ids(work) {
      const parent = anywhere(work)
      for (let left = size(150); left > 0; left--) {
        insert({ ...work, to: work.writer.block(1 + below(2 ** 32 - 1)) }, parent, content(work.isValid))
      }
      // The block of the sender's own id must not be empty.
      insert(work, parent, content(work.isValid))
    },
    depth(work) {
      let parent: Parent = anywhere(work)
      for (let left = size(work.isValid ? 190 : most); left > 0; left--) {
        parent = { into: insert(work, parent, write.element('blockquote')), children: [], kind: 'other' }
      }
    },
    width(work) {
      const parent = anywhere(work)
      const at = below(parent.children.length + 1)
      for (let left = size(); left > 0; left--)
        insert(work, parent, content(work.isValid), random() < 0.5 ? at : undefined)
    },
    attributes(work) {
      const parent = insert(work, work.parents[0]!, write.element('paragraph'))
      for (let left = size(); left > 0; left--) {
        const key = work.isValid ? 'threads' : `${pick(keys)}${below(most)}`
        work.to.add(write.any(`value ${left}`), { parent, key })
      }
    },
    formats(work) {
      const parent = parentOf(work, 'text')
      for (let left = size(); left > 0; left--) {
        const mark = work.isValid ? pick(['bold', 'italic', 'strike']) : pick(['bold', 'blink', 'comment--abcdefgh'])
        insert(work, parent, write.format(mark, random() < 0.5 ? {} : null))
        if (random() < 0.5) insert(work, parent, write.text('formatted'))
      }
    },
    deletes(work) {
      const known = [...work.doc.store.clients].filter(([, structs]) => structs.length > 0)
      for (let left = size(); left > 0 && known.length > 0; left--) {
        const [client] = pick(known)
        const state = Y.getState(work.doc.store, client)
        const clock = below(state)
        work.writer.delete(client, clock, 1 + below(Math.min(4, state - clock)))
      }
      insert(work, work.parents[0]!, write.element('paragraph'))
    },
    clocks(work) {
      for (let left = size(20); left > 0; left--) work.to.gc(1 + below(work.isValid ? 1000 : 2 ** 27))
      insert(work, work.parents[0]!, write.element('paragraph'))
    },
    lengths(work) {
      const letter = pick(work.isValid ? ['x', '字', '😀'] : ['\u0301', '\u202e', '\u0000'])
      insert(work, parentOf(work, 'text'), write.text(letter.repeat(size(20 * most))))
    },
    siblings(work) {
      const parent = parentOf(work, random() < 0.5 ? 'text' : 'blocks')
      const made = (): Content => (parent.kind === 'text' ? write.text('x') : content(work.isValid))
      const at = Math.min(1, parent.children.length)
      for (let count = size(Math.min(most, 400)); count > 0; count--) insert(work, parent, made(), at)
    },
    overwrites(work) {
      const parent = work.isValid || random() < 0.5 ? 'meta' : pick(roots)
      for (let left = size(Math.min(most, 500)); left > 0; left--) {
        work.to.add(write.any(`Title ${left}`), { parent, key: work.isValid ? 'title' : pick(['title', ...keys]) })
      }
    },
  }

  return (doc, author) => {
    const extreme = pick(extremes)
    const isValid = random() < 0.5
    const writer = new UpdateWriter()
    const to = writer.block(author.client, author.clock)
    makers[extreme]({ writer, to, parents: parentsIn(doc), doc, isValid })
    return { bytes: writer.bytes(), extreme, isValid }
  }
}

/** The document's blocks, and the texts in them. */
function parentsIn(doc: Y.Doc): Parent[] {
  const fragment = doc.getXmlFragment('default')
  const parents: Parent[] = [{ into: 'default', children: childrenOf(fragment), kind: 'blocks' }]
  for (const block of fragment.toArray().slice(0, 20)) {
    const inner = block instanceof Y.XmlElement && block.length > 0 ? block.get(0) : undefined
    const item = inner instanceof Y.XmlText ? inner._item : null
    if (inner instanceof Y.XmlText && item) parents.push({ into: item.id, children: childrenOf(inner), kind: 'text' })
  }
  return parents
}

/** The items of a type, deleted ones too. */
function childrenOf(type: Y.XmlFragment | Y.XmlText): Child[] {
  const children: Child[] = []
  for (let item = type._start; item !== null && children.length < 2000; item = item.right) {
    children.push({ first: item.id, last: item.lastId })
  }
  return children
}
