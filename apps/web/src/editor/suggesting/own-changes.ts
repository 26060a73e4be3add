/** Which open changes are this person's, and the ids of new ones. */
export type OwnChanges = { isOwn(id: string): boolean; create(): string }

/**
 * The changes that one person suggests in this window. What they have suggested elsewhere and before is known by `isMine`; the ids made
 * here are known before the server has heard of them.
 */
export function createOwnChanges(createId: () => string, isMine: (id: string) => boolean): OwnChanges {
  const created = new Set<string>()
  return {
    isOwn: (id) => created.has(id) || isMine(id),
    create() {
      const id = createId()
      created.add(id)
      return id
    },
  }
}
