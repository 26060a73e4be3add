/** Tells which open changes are this user's, and creates the ids of new ones. */
export type OwnChanges = { isOwn(id: string): boolean; create(): string }

/**
 * The changes that one user suggests in this window. `isMine` knows those from other windows and earlier; ids created
 * here are known before the server has received them.
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
