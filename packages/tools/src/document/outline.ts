import { type Differing, differing } from '@copydesk/schema'
import { firstIndex } from '@copydesk/schema/ids'
import type { Node } from 'prosemirror-model'
import type * as Y from 'yjs'
import { type Block, blocksOfChild, blockText, type Layout, type Place } from './blocks.ts'

/** A child of a document by its index, and the ProseMirror position where it begins. */
export type Child = { readonly index: number; readonly position: number }

type Listed = {
  readonly node: Node
  readonly type: Y.XmlElement | undefined
  readonly place: Place
  readonly blocks: readonly Block[]
}

/**
 * The children of a document with their blocks, kept between reads: unchanged children keep their blocks, whose
 * positions are updated. An update costs the changed children and a comparison of identities.
 */
export class Outline {
  private nodes: readonly Node[] = []
  private types: readonly Y.XmlElement[] = []
  private listed: readonly Listed[] = []
  private flat: readonly Block[] = []
  // The positions of the children and the indices of their first blocks, followed by the end of the document.
  private readonly layout: Layout = { starts: [0], firsts: [0] }
  private indices: Map<Y.XmlElement, number> | undefined
  private byText: Map<string, Block[]> | undefined

  /** All blocks in order; a new list for each document. */
  get blocks(): readonly Block[] {
    return this.flat
  }

  /** The position where each child begins, followed by the position where the document's content ends. */
  get starts(): readonly number[] {
    return this.layout.starts
  }

  /**
   * Updates to `doc`, which must match a fragment with these children. The positions of blocks that were listed before
   * are updated.
   */
  update(doc: Node, types: readonly Y.XmlElement[]): void {
    const nodes = doc.children
    if (nodes === this.nodes && types === this.types) return
    const { first, oldEnd, newEnd } = this.differing(nodes, types)
    if (types !== this.types) this.indices = undefined
    this.nodes = nodes
    this.types = types
    if (first === oldEnd && first === newEnd) return
    this.byText = undefined
    const { listed, layout } = this
    const made = nodes.slice(first, newEnd).map((node, offset) => {
      const child = first + offset
      const known = oldEnd === newEnd ? listed[child] : undefined
      return known?.node === node && known.type === types[child] ? known : list(node, types[child], { child, layout })
    })
    const moved = listed.slice(oldEnd)
    if (oldEnd !== newEnd) for (const { place } of moved) place.child += newEnd - oldEnd
    this.listed = listed.slice(0, first).concat(made, moved)
    const { starts, firsts } = layout
    const blocks = made.flatMap((each) => each.blocks)
    this.flat = this.flat.slice(0, firsts[first]).concat(blocks, this.flat.slice(firsts[oldEnd]))
    layout.starts = replaceSizes(
      starts,
      first,
      oldEnd,
      made.map(({ node }) => node.nodeSize),
    )
    layout.firsts = replaceSizes(
      firsts,
      first,
      oldEnd,
      made.map((each) => each.blocks.length),
    )
  }

  private differing(nodes: readonly Node[], types: readonly Y.XmlElement[]): Differing {
    const inNodes = differing(this.nodes, nodes)
    if (types === this.types) return inNodes
    const inTypes = differing(this.types, types)
    const first = Math.min(inNodes.first, inTypes.first)
    const shared = Math.min(
      nodes.length - inNodes.newEnd,
      types.length - inTypes.newEnd,
      nodes.length - first,
      this.nodes.length - first,
    )
    return { first, oldEnd: this.nodes.length - shared, newEnd: nodes.length - shared }
  }

  /** The child that contains a position; at the boundary of two children the second. */
  childAt(position: number): Child | undefined {
    const index = firstIndex(this.starts, (start) => start > position) - 1
    const start = this.starts[index]
    return start === undefined || index >= this.nodes.length ? undefined : { index, position: start }
  }

  /** The blocks of the children in an index range. */
  blocksOf(from: number, to: number): readonly Block[] {
    const { firsts } = this.layout
    return this.flat.slice(firsts[from], firsts[to])
  }

  /** The blocks with exactly this text, in order. */
  blocksWithText(text: string): readonly Block[] {
    this.byText ??= groupByText(this.flat)
    return this.byText.get(text) ?? []
  }

  /** The index of the child that was read from this type. */
  indexOf(type: Y.XmlElement): number | undefined {
    this.indices ??= new Map(this.types.map((each, index) => [each, index]))
    return this.indices.get(type)
  }
}

function groupByText(blocks: readonly Block[]): Map<string, Block[]> {
  const groups = new Map<string, Block[]>()
  for (const block of blocks) {
    const text = blockText(block.node)
    const group = groups.get(text)
    if (group) group.push(block)
    else groups.set(text, [block])
  }
  return groups
}

function list(node: Node, type: Y.XmlElement | undefined, place: Place): Listed {
  return { node, type, place, blocks: blocksOfChild(node, place, type) }
}

// Prefix sums of sizes: replaces those in an index range.
function replaceSizes(sums: readonly number[], from: number, to: number, sizes: readonly number[]): readonly number[] {
  let end = sums[from] ?? 0
  const replaced = sums.slice(0, from + 1).concat(
    sizes.map((size) => (end += size)),
    sums.slice(to + 1),
  )
  const grown = end - (sums[to] ?? 0)
  const moved = from + 1 + sizes.length
  if (grown !== 0)
    for (let index = moved; index < replaced.length; index++) replaced[index] = (replaced[index] ?? 0) + grown
  return replaced
}
