import type * as Y from 'yjs'

/** A copy of a document with the rows of its log up to `seq`. */
export type Replica = { doc: Y.Doc; seq: number }

type Limits = {
  documents: number
  /** Limit on the structs of all replicas; each takes some 300 bytes. */
  structs?: number
}

/** The number of structs that Yjs stores for a document, including deleted ones. */
export function countStructs({ store }: Y.Doc): number {
  let count = 0
  for (const structs of store.clients.values()) count += structs.length
  return count
}

/** Replicas by name. Evicts the least recently used when there are too many or they are too large. */
export class ReplicaCache {
  readonly #limits: Required<Limits>
  /** In order of use, the most recent last. */
  readonly #replicas = new Map<string, Replica>()

  constructor({ documents, structs = 250_000 }: Limits) {
    this.#limits = { documents, structs }
  }

  has(name: string): boolean {
    return this.#replicas.has(name)
  }

  get(name: string): Replica | undefined {
    const replica = this.#replicas.get(name)
    if (replica) this.set(name, replica)
    return replica
  }

  set(name: string, replica: Replica): void {
    this.#replicas.delete(name)
    this.#replicas.set(name, replica)
    let structs = 0
    for (const { doc } of this.#replicas.values()) structs += countStructs(doc)
    for (const [oldest, { doc }] of this.#replicas) {
      if (this.#replicas.size <= this.#limits.documents && structs <= this.#limits.structs) return
      if (oldest === name) return
      this.#replicas.delete(oldest)
      structs -= countStructs(doc)
    }
  }

  delete(name: string): void {
    this.#replicas.delete(name)
  }
}
