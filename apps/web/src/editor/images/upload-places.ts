import type { EditorState, Transaction } from 'prosemirror-state'
import { PluginKey } from 'prosemirror-state'
import { absolutePositionToRelativePosition, ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { changedRange } from '../changed-range.ts'
import { toPosition } from '../relative-position.ts'

/** The target of an image that is being uploaded. `anchor` finds the position again after remote changes. */
export type UploadPlace = { id: string; position: number; anchor: Y.RelativePosition | undefined }

/** What a transaction changes in the list of targets. */
export type PlaceChange =
  | { kind: 'add'; ids: readonly string[]; position: number }
  | { kind: 'remove'; id: string }
  | { kind: 'anchor' }

/** The targets of an editor's uploads, in the order in which the images were added. */
export const placesKey = new PluginKey<readonly UploadPlace[]>('imageUploads')

/** The targets after a transaction. A new image's target is behind those that were added before it. */
export function nextPlaces(
  places: readonly UploadPlace[],
  transaction: Transaction,
  before: EditorState,
  after: EditorState,
): readonly UploadPlace[] {
  const change: PlaceChange | undefined = transaction.getMeta(placesKey)
  const moved = transaction.docChanged && places.length > 0 ? move(places, transaction, before, after) : places
  switch (change?.kind) {
    case undefined:
      return moved
    case 'add': {
      const { position } = change
      return [...moved, ...change.ids.map((id) => ({ id, position, anchor: encode(after, position) }))]
    }
    case 'remove':
      return moved.filter(({ id }) => id !== change.id)
    case 'anchor':
      return moved.map((place) => ({ ...place, anchor: encode(after, place.position) }))
  }
}

function move(
  places: readonly UploadPlace[],
  transaction: Transaction,
  before: EditorState,
  after: EditorState,
): readonly UploadPlace[] {
  const change: PlaceChange | undefined = transaction.getMeta(placesKey)
  const fromYjs: unknown = transaction.getMeta(ySyncPluginKey)
  const done = change?.kind === 'remove' ? places.findIndex(({ id }) => id === change.id) : -1
  const mapping = fromYjs === undefined ? transaction.mapping : changedRange(before.doc, after.doc)?.mapping
  return places.map((place, index) => {
    const mapped = mapping?.map(place.position, done >= 0 && index > done ? 1 : -1) ?? place.position
    const found = fromYjs === undefined ? undefined : toPosition(after, place.anchor)
    return { ...place, position: found ?? mapped }
  })
}

function encode(state: EditorState, position: number): Y.RelativePosition | undefined {
  const { type, binding } = ySyncPluginKey.getState(state) ?? {}
  return type && binding ? absolutePositionToRelativePosition(position, type, binding.mapping) : undefined
}
