import { type EditorState, PluginKey, type Transaction } from 'prosemirror-state'
import type * as Y from 'yjs'
import { isFromYjs } from '../common/from-yjs.ts'
import { t } from '../../i18n/translate.ts'
import { changedRange, toPosition, toRelative } from '../common/positions.ts'

/**
 * The target of an image that is being uploaded. `anchor` finds the position again after remote changes. With
 * `replaces`
 * the image behind the position gets the new address.
 */
export type UploadPlace = {
  id: string
  position: number
  anchor: Y.RelativePosition | undefined
  replaces: boolean
}

/** A change of the list of targets by a transaction. */
export type PlaceChange =
  | { kind: 'add'; ids: readonly string[]; position: number; replaces: boolean }
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
      const { position, replaces } = change
      return [...moved, ...change.ids.map((id) => ({ id, position, replaces, anchor: toRelative(after, position) }))]
    }
    case 'remove':
      return moved.filter(({ id }) => id !== change.id)
    case 'anchor':
      return moved.map((place) => ({ ...place, anchor: toRelative(after, place.position) }))
  }
}

function move(
  places: readonly UploadPlace[],
  transaction: Transaction,
  before: EditorState,
  after: EditorState,
): readonly UploadPlace[] {
  const change: PlaceChange | undefined = transaction.getMeta(placesKey)
  const fromYjs = isFromYjs(transaction)
  const done = change?.kind === 'remove' ? places.findIndex(({ id }) => id === change.id) : -1
  const mapping = fromYjs ? changedRange(before.doc, after.doc)?.mapping : transaction.mapping
  return places.map((place, index) => {
    const isBehind = place.replaces || (done >= 0 && index > done)
    const mapped = mapping?.map(place.position, isBehind ? 1 : -1) ?? place.position
    const found = fromYjs ? toPosition(after, place.anchor) : undefined
    return { ...place, position: found ?? mapped }
  })
}

/** The placeholder of an image that is being uploaded. */
export type UploadBox = {
  readonly dom: HTMLElement
  showProgress(part: number): void
  showProblem(text: string): void
  /** Frees the preview's object URL; may be called twice. */
  close(): void
}

type BoxActions = { onCancel: () => void; onRetry: () => void }

/**
 * Draws the image itself as soon as its file is known, so that the layout doesn't change when the stored image replaces
 * it.
 */
export function createUploadBox(file: File, { onCancel, onRetry }: BoxActions): UploadBox {
  const { name } = file
  const source = URL.createObjectURL(file)
  const dom = create('div', 'upload-box')
  dom.contentEditable = 'false'
  dom.setAttribute('role', 'group')
  const preview = dom.appendChild(create('img', 'upload-preview'))
  Object.assign(preview, { src: source, alt: '' })
  const status = dom.appendChild(create('div', 'upload-status'))
  const words = status.appendChild(create('span', 'upload-words'))
  const bar = status.appendChild(create('progress', 'upload-bar'))
  bar.max = 1
  bar.setAttribute('aria-label', t('Sending {name}', { name }))
  const retry = status.appendChild(createButton(t('Try again'), onRetry))
  const cancel = status.appendChild(createButton(t('Cancel'), onCancel))
  const show = (isFailed: boolean, text: string) => {
    dom.dataset.failed = String(isFailed)
    dom.setAttribute(
      'aria-label',
      isFailed ? t('Image not added: {name}', { name }) : t('Adding image: {name}', { name }),
    )
    words.textContent = text
    words.setAttribute('role', isFailed ? 'alert' : 'presentation')
    bar.hidden = isFailed
    retry.hidden = !isFailed
    cancel.textContent = isFailed ? t('Remove') : t('Cancel')
  }
  show(false, name)
  return {
    dom,
    showProgress(part) {
      if (dom.dataset.failed === 'true') show(false, name)
      bar.value = part
    },
    showProblem: (text) => show(true, text),
    close: () => URL.revokeObjectURL(source),
  }
}

function create<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = className
  return element
}

function createButton(text: string, press: () => void): HTMLButtonElement {
  const button = create('button', 'upload-button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('mousedown', (event) => event.preventDefault())
  button.addEventListener('click', press)
  return button
}
