import * as Y from 'yjs'

/**
 * A unique word: its author and its number, with an end marker so that it is not a prefix of a longer number. Joining
 * blocks may join it to its neighbours, so the pattern needs no word boundary.
 */
const tokenPattern = /[a-z]\d+q/g

/** A text type's text without its formatting. */
export function plainText(node: Y.XmlText): string {
  const delta: { insert?: unknown }[] = node.toDelta()
  return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('')
}

/** Where each token is: the text types that hold it, one for each time that it occurs. */
export function findTokens(fragment: Y.XmlFragment): Map<string, Y.XmlText[]> {
  const homes = new Map<string, Y.XmlText[]>()
  const visit = (node: unknown): void => {
    if (node instanceof Y.XmlText) {
      for (const [token] of plainText(node).matchAll(tokenPattern))
        homes.set(token, [...(homes.get(token) ?? []), node])
    } else if (node instanceof Y.XmlFragment) node.toArray().forEach(visit)
  }
  visit(fragment)
  return homes
}

/**
 * Records what people typed and deleted, so that the final document can be checked. A token may be missing only if an
 * edit removed it while its author's replica had it, or if an edit removed a block (or its ancestor) into which it was
 * typed or moved concurrently: no merge can restore that.
 */
export class Ledger {
  readonly #typed = new Map<string, string[]>()
  readonly #deleted = new Set<string>()
  readonly #deletedTypes = new Set<string>()
  readonly #moved = new Set<string>()
  #next = 1

  newToken(author: string): string {
    return `${author}${this.#next++}q`
  }

  /** A token was typed into this text. */
  noteTyped(token: string, text: Y.XmlText): void {
    this.#typed.set(token, chainOf(text))
  }

  /** Makes an edit as one transaction and notes what it took away. */
  record(doc: Y.Doc, fragment: Y.XmlFragment, edit: () => void): void {
    const before = findTokens(fragment)
    const note = (transaction: Y.Transaction): void => {
      if (transaction.local) for (const id of deletedTypes(transaction)) this.#deletedTypes.add(id)
    }
    doc.on('afterTransaction', note)
    try {
      doc.transact(edit)
    } finally {
      doc.off('afterTransaction', note)
    }
    const after = findTokens(fragment)
    for (const [token, homes] of before) {
      const now = after.get(token)
      if (!now) this.#deleted.add(token)
      else if (now.map(idOf).join() !== homes.map(idOf).join()) this.#noteMoved(token, now)
    }
  }

  #noteMoved(token: string, homes: readonly Y.XmlText[]): void {
    this.#moved.add(token)
    const chain = this.#typed.get(token)
    if (chain) this.#typed.set(token, [...chain, ...homes.flatMap(chainOf)])
  }

  /** Of the tokens that people typed: how many must be present, and which of those are missing. */
  findMissing(fragment: Y.XmlFragment): { expected: number; missing: string[] } {
    const found = findTokens(fragment)
    const expected = [...this.#typed].filter(
      ([token, chain]) => !this.#deleted.has(token) && !chain.some((id) => this.#deletedTypes.has(id)),
    )
    return { expected: expected.length, missing: expected.map(([token]) => token).filter((token) => !found.has(token)) }
  }

  /** Tokens that occur more than once although no edit ever moved them. */
  doubled(fragment: Y.XmlFragment): string[] {
    return [...findTokens(fragment)].flatMap(([token, homes]) =>
      homes.length > 1 && !this.#moved.has(token) ? [token] : [],
    )
  }
}

function idOf({ _item: item }: Y.XmlText): string {
  return item ? `${item.id.client}:${item.id.clock}` : 'top'
}

function chainOf(text: Y.XmlText): string[] {
  const ids: string[] = []
  let item = text._item
  while (item) {
    ids.push(`${item.id.client}:${item.id.clock}`)
    item = item.parent instanceof Y.AbstractType ? item.parent._item : null
  }
  return ids
}

function deletedTypes({ deleteSet, doc }: Y.Transaction): string[] {
  const ids: string[] = []
  for (const [client, ranges] of deleteSet.clients) {
    const structs = doc.store.clients.get(client) ?? []
    for (const { clock, len } of ranges) {
      for (let index = Y.findIndexSS(structs, clock); index < structs.length; index++) {
        const struct = structs[index]!
        if (struct.id.clock >= clock + len) break
        if (struct instanceof Y.Item && struct.content instanceof Y.ContentType)
          ids.push(`${client}:${struct.id.clock}`)
      }
    }
  }
  return ids
}
