import { addBlock, addSingles, firstClient, paragraphs, updateOf } from '../blocks.ts'
import { always, type HostileInput, postUpdate, sendUpdates } from '../hostile-input.ts'
import { limits, refusals } from '../limits.ts'
import { type BlockWriter, element, type Id, text, type } from '../update-writer.ts'

const { childrenOfNode, itemsInText, structsInUpdate, documentStructs } = limits
const children = `${childrenOfNode} children of a node`
const items = `${itemsInText} items in the text of a block`
const structs = `${structsInUpdate} structs in an update`
const inDocument = `${documentStructs} structs in a document`

/** Empty paragraphs, one struct each. */
function emptyBlocks(count: number, client = firstClient): Uint8Array {
  return updateOf((to) => {
    let left: Id | undefined
    for (let index = 0; index < count; index++) {
      left = to.add(element('paragraph'), left ? { left } : { parent: 'default' })
    }
  }, client)
}

function singles(count: number): Uint8Array {
  return updateOf((to) => {
    const paragraph = addBlock(to, [])
    addSingles(to, count, to.add(type('xmlText'), { parent: paragraph }))
  })
}

// Two for the paragraph and its text.
const inBlock = 100

/** So many structs: paragraphs of a hundred each, and the rest in the last. */
function manyStructs(count: number, client = firstClient): Uint8Array {
  return updateOf((to) => {
    let after: Id | undefined
    while (to.count < count) {
      after = addBlock(to, [], { after })
      if (to.count < count)
        addSingles(to, Math.min(inBlock - 2, count - to.count - 1), to.add(type('xmlText'), { parent: after }))
    }
  }, client)
}

/** A list of one node type, with so many children. */
function listOf(count: number): Uint8Array {
  return updateOf((to) => {
    const list = to.add(element('bulletList'), { parent: 'default' })
    let left: Id | undefined
    for (let index = 0; index < count; index++) {
      left = to.add(element('listItem'), left ? { left } : { parent: list })
      addBlock(to, [text('x')], { parent: left })
    }
  })
}

/** A list whose items lack the paragraph that the schema demands: the server puts in one for each. */
function incompleteItems(to: BlockWriter, count: number): void {
  const list = to.add(element('bulletList'), { parent: 'default' })
  let left: Id | undefined
  for (let index = 0; index < count; index++) left = to.add(element('listItem'), left ? { left } : { parent: list })
}

/** How many children, items and structs there may be. */
export const width: readonly HostileInput[] = [
  {
    name: 'as many empty paragraphs as a document may have',
    limit: children,
    scale: { ci: 5000, full: childrenOfNode - 10 },
    build: (size, at) => [sendUpdates(at, [emptyBlocks(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'too many empty paragraphs',
    limit: children,
    scale: always(childrenOfNode + 1),
    build: (size, at) => [sendUpdates(at, [emptyBlocks(size)])],
    expect: refusals.tooLarge,
  },
  {
    name: 'paragraphs beyond what a document may have, in a second update',
    limit: children,
    scale: always(childrenOfNode - 10),
    prepare: emptyBlocks,
    build: (_, at) => [sendUpdates(at, [emptyBlocks(20, firstClient + 1)])],
    expect: refusals.tooLarge,
  },
  {
    name: 'a list of many items',
    limit: children,
    scale: { ci: 2000, full: childrenOfNode - 1000 },
    build: (size, at) => [sendUpdates(at, [listOf(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'a list of many items without the paragraph that each needs',
    limit: children,
    scale: { ci: 1000, full: childrenOfNode },
    build: (size, at) => [sendUpdates(at, [updateOf((to) => incompleteItems(to, size))])],
    expect: ['acknowledged', refusals.tooCostly, refusals.tooLarge],
  },
  {
    name: 'as many items as a text may have',
    limit: items,
    scale: { ci: 5000, full: itemsInText },
    build: (size, at) => [sendUpdates(at, [singles(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'one item too many in a text',
    limit: items,
    scale: always(itemsInText + 1),
    build: (size, at) => [sendUpdates(at, [singles(size)])],
    expect: refusals.tooLarge,
  },
  {
    name: 'as many structs as an update may have',
    limit: structs,
    scale: { ci: 20_000, full: structsInUpdate },
    build: (size, at) => [sendUpdates(at, [manyStructs(size)])],
    expect: 'acknowledged',
  },
  {
    name: 'one struct too many in an update',
    limit: structs,
    scale: always(structsInUpdate + 1),
    build: (size, at) => [sendUpdates(at, [manyStructs(size)])],
    expect: refusals.tooLarge,
  },
  {
    name: 'one struct too many in an update by HTTP',
    limit: structs,
    scale: always(structsInUpdate + 1),
    build: (size, at) => [postUpdate(at, manyStructs(size))],
    expect: 413,
  },
  {
    name: 'structs beyond what a document may have',
    limit: inDocument,
    scale: { ci: 0, full: structsInUpdate },
    prepare: manyStructs,
    build: (_, at) => [sendUpdates(at, [manyStructs(documentStructs - structsInUpdate + 1, firstClient + 1)])],
    expect: refusals.documentFull,
  },
  {
    name: 'very many collected structs',
    limit: structs,
    scale: { ci: 20_000, full: structsInUpdate - 10 },
    build: (size, at) => [
      sendUpdates(at, [
        updateOf((to) => {
          for (let index = 0; index < size; index++) to.gc(1)
        }),
      ]),
    ],
    expect: ['acknowledged', refusals.schema],
  },
  {
    name: 'many updates that each add a hundred blocks',
    limit: structs,
    // A client id for each, of which a connection may have two hundred.
    scale: { ci: 50, full: 190 },
    build: (size, at) => [
      sendUpdates(
        at,
        Array.from({ length: size }, (_, index) => paragraphs(100, () => 'x', firstClient + index)),
      ),
    ],
    expect: 'acknowledged',
  },
]
