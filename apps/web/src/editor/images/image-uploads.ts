import { Extension } from '@tiptap/core'
import type { Node, NodeType } from 'prosemirror-model'
import { type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { ySyncPluginKey } from 'y-prosemirror'
import { ApiError, describeError } from '../../api/client.ts'
import type { SendOptions } from '../../api/images.ts'
import { t } from '../../i18n/translate.ts'
import { mayWrite } from '../common/may-write.ts'
import { problemOf } from './image-files.ts'
import { selectedImage } from './selected-image.ts'
import {
  createUploadBox,
  nextPlaces,
  type PlaceChange,
  placesKey,
  type UploadBox,
  type UploadPlace,
} from './upload-places.ts'

/**
 * The options of uploads. `send` stores a file and resolves to its address; `onProblem` reports a file that isn't
 * uploaded.
 */
export type UploadOptions = {
  send: (file: File, options: SendOptions) => Promise<string>
  onProblem: (problem: unknown) => void
  createId: () => string
}

type Upload = { id: string; file: File; box: UploadBox; end: AbortController; replaces: boolean }
type Uploads = ReturnType<typeof createUploads>

const uploadsOf = new WeakMap<EditorView, Uploads>()

/**
 * Images from files. While one uploads, a placeholder box is shown to this user only;
 * the document gets the image when the server has stored it, at its position, mapped through all changes
 * since.
 */
export function createImageUploads(options: UploadOptions): Extension {
  return Extension.create({
    name: 'imageUploads',
    addProseMirrorPlugins: () => [createPlugin(options)],
  })
}

/** Uploads these files and inserts them at a position, or at the selection. */
export function addImages(view: EditorView, files: readonly File[], position?: number): void {
  uploadsOf.get(view)?.add(files, position ?? view.state.selection.from)
}

/** Uploads a file and shows it in place of the selected image, which keeps all its other attributes. */
export function replaceImage(view: EditorView, file: File): void {
  const image = selectedImage(view.state)
  if (image) uploadsOf.get(view)?.replace(file, image.position)
}

function createPlugin(options: UploadOptions): Plugin<readonly UploadPlace[]> {
  const boxes = new Map<string, Upload>()
  return new Plugin<readonly UploadPlace[]>({
    key: placesKey,
    state: {
      init: () => [],
      apply: (transaction, places, before, after) => nextPlaces(places, transaction, before, after),
    },
    props: {
      decorations: (state) => drawBoxes(state, boxes),
    },
    view(view) {
      const uploads = createUploads(view, boxes, options)
      uploadsOf.set(view, uploads)
      return {
        update: (_view, before) => refreshAnchors(view, before),
        destroy: () => uploads.close(),
      }
    },
  })
}

function drawBoxes(state: EditorState, boxes: ReadonlyMap<string, Upload>): DecorationSet | null {
  const places = placesKey.getState(state) ?? []
  if (places.length === 0) return null
  const widgets = places.flatMap(({ id, position }, index) => {
    const upload = boxes.get(id)
    const spec = { key: `upload-${id}`, side: index - places.length, stopEvent: () => true, ignoreSelection: true }
    return upload ? [Decoration.widget(position, upload.box.dom, spec)] : []
  })
  return DecorationSet.create(state.doc, widgets)
}

// Local changes are in the shared document only after the binding has processed them.
function refreshAnchors(view: EditorView, before: EditorState): void {
  if (view.state.doc === before.doc || (placesKey.getState(view.state) ?? []).length === 0) return
  if (ySyncPluginKey.getState(view.state)?.isChangeOrigin === true) return
  view.dispatch(change(view.state, { kind: 'anchor' }))
}

function change(state: EditorState, value: PlaceChange) {
  return state.tr.setMeta(placesKey, value).setMeta('addToHistory', false)
}

function createUploads(view: EditorView, boxes: Map<string, Upload>, { send, onProblem, createId }: UploadOptions) {
  const forget = (upload: Upload) => {
    upload.end.abort()
    upload.box.close()
    boxes.delete(upload.id)
  }
  const cancel = (id: string) => {
    const upload = boxes.get(id)
    if (!upload) return
    forget(upload)
    view.dispatch(change(view.state, { kind: 'remove', id }))
    view.focus()
  }
  const run = async (upload: Upload) => {
    const { file, box, end, replaces } = upload
    box.showProgress(0)
    try {
      const src = await send(file, { signal: end.signal, onProgress: box.showProgress })
      await showable(src)
      if (!boxes.has(upload.id)) return
      if (!mayWrite(view)) throw new ApiError('forbidden', t('You can no longer edit this document.'))
      if (!(replaces ? putAddress : insert)(view, upload.id, src))
        throw new ApiError('conflict', t('The place for this image was deleted.'), t('Add it again.'))
      forget(upload)
    } catch (error) {
      if (!end.signal.aborted) box.showProblem(describeError(error))
    }
  }
  const start = (files: readonly File[], position: number, replaces: boolean) => {
    const added = files.map((file): Upload => {
      const id = createId()
      const actions = { onCancel: () => cancel(id), onRetry: () => void run(upload) }
      const upload: Upload = { id, file, box: createUploadBox(file, actions), end: new AbortController(), replaces }
      return upload
    })
    for (const upload of added) boxes.set(upload.id, upload)
    view.dispatch(change(view.state, { kind: 'add', ids: added.map(({ id }) => id), position, replaces }))
    for (const upload of added) void run(upload)
  }
  const sendableOf = (files: readonly File[]) =>
    files.filter((file) => {
      const problem = problemOf(file)
      if (problem) onProblem(problem)
      return problem === undefined
    })
  return {
    add(files: readonly File[], near: number) {
      const image = view.state.schema.nodes.image
      const position = image && blockPlace(view.state.doc, near, image)
      const sendable = sendableOf(files)
      if (position !== undefined && sendable.length > 0) start(sendable, position, false)
    },
    replace(file: File, position: number) {
      if (sendableOf([file]).length > 0) start([file], position, true)
    },
    close() {
      for (const upload of boxes.values()) forget(upload)
    },
  }
}

function insert(view: EditorView, id: string, src: string): boolean {
  const { state } = view
  const place = placesKey.getState(state)?.find((each) => each.id === id)
  const image = state.schema.nodes.image
  const position = place && image && blockPlace(state.doc, place.position, image)
  if (position === undefined || !image) return false
  const transaction = state.tr.insert(position, image.create({ src }))
  const { selection } = transaction
  // Without it an image at the end of the text would leave no block below it for writing.
  const paragraph = state.schema.nodes.paragraph
  if (paragraph && transaction.doc.lastChild?.type === image) {
    transaction.insert(transaction.doc.content.size, paragraph.create())
    if (!(selection instanceof TextSelection)) transaction.setSelection(TextSelection.atEnd(transaction.doc))
  }
  view.dispatch(transaction.setMeta(placesKey, { kind: 'remove', id } satisfies PlaceChange))
  return true
}

function putAddress(view: EditorView, id: string, src: string): boolean {
  const { state } = view
  const place = placesKey.getState(state)?.find((each) => each.id === id)
  if (!place || state.doc.nodeAt(place.position)?.type.name !== 'image') return false
  const transaction = state.tr.setNodeAttribute(place.position, 'src', src)
  view.dispatch(transaction.setMeta(placesKey, { kind: 'remove', id } satisfies PlaceChange))
  return true
}

// Loads the stored image before its box is removed, to avoid a flicker. An image that can't be shown is inserted
// anyway.
async function showable(src: string): Promise<void> {
  const image = new Image()
  image.src = src
  await image.decode().catch(() => undefined)
}

/**
 * The valid position for a block of this type nearest to a position: the position itself, else before the text that
 * starts there, else behind the block that contains it. Undefined if it is not allowed in any ancestor.
 */
function blockPlace(doc: Node, position: number, type: NodeType): number | undefined {
  const $at = doc.resolve(Math.min(Math.max(position, 0), doc.content.size))
  if (!$at.parent.inlineContent && $at.parent.canReplaceWith($at.index(), $at.index(), type)) return $at.pos
  const isAtStart = $at.parent.inlineContent && $at.parentOffset === 0
  for (let depth = $at.depth; depth > 0; depth--) {
    const parent = $at.node(depth - 1)
    const index = $at.index(depth - 1)
    if (isAtStart && depth === $at.depth && parent.canReplaceWith(index, index, type)) return $at.before(depth)
    if (parent.canReplaceWith(index + 1, index + 1, type)) return $at.after(depth)
  }
  return undefined
}
