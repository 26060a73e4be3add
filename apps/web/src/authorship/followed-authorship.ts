import type { Authorship, RunInText } from '@copydesk/protocol'
import { readIdSpans } from '@copydesk/schema'
import type { Editor } from '@tiptap/core'
import type { Transaction } from 'yjs'
import { ySyncPluginKey } from 'y-prosemirror'
import { createStore, sameJson } from '../common/store.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { t } from '../i18n/translate.ts'
import { authorshipAt, drawAuthorship } from './authorship-extension.ts'
import { fallbackColorOf, safeColor } from '../ui/people/person-look.ts'
import { type AuthoredRange, findAuthors, type Writing } from '../editor/agent-edits/authored-ranges.ts'

/** One author in the legend. */
export type LegendEntry = { id: string; name: string; color: string; kind: 'person' | 'agent' }

/**
 * The state for the interface: the legend, and the author, time and request of the text under the mouse or at the
 * caret.
 */
export type AuthorshipState = { legend: readonly LegendEntry[]; pointed: PointedWriting | null }
export type PointedWriting = Writing & { author: LegendEntry; request?: RunInText | undefined }

export type FollowOptions = {
  editor: Editor
  connection: DocumentConnection
  self: { id: string; name: string; color: string }
  /** Called when peers have written: the authorship should be fetched again. */
  onOutdated: () => void
}

const drawAfterMs = 700
const askAfterMs = 1200
const agentColor = 'var(--agent)'

/** Draws authorship ranges, and keeps them current while users write. Never redraws during a composition. */
export class FollowedAuthorship {
  readonly state = createStore<AuthorshipState>({ legend: [], pointed: null }, sameJson)
  readonly #options: FollowOptions
  readonly #stops: (() => void)[] = []
  #answer: Authorship | undefined
  #ranges: readonly AuthoredRange[] = []
  #hovered: number | undefined
  #drawing: ReturnType<typeof setTimeout> | undefined
  #asking: ReturnType<typeof setTimeout> | undefined

  constructor(options: FollowOptions) {
    this.#options = options
    const { editor, connection } = options
    const { dom } = editor.view
    const point = () => this.#point()
    const onHover = (event: Event) => this.#hover(event)
    const onUpdate = (_update: Uint8Array, _origin: unknown, _doc: unknown, { local }: Transaction) => this.#note(local)
    connection.content.on('update', onUpdate)
    editor.on('selectionUpdate', point)
    dom.addEventListener('mouseover', onHover)
    dom.addEventListener('mouseleave', onHover)
    this.#stops.push(() => {
      connection.content.off('update', onUpdate)
      editor.off('selectionUpdate', point)
      dom.removeEventListener('mouseover', onHover)
      dom.removeEventListener('mouseleave', onHover)
    })
  }

  /** Draws the server's response. */
  show(answer: Authorship): void {
    this.#answer = answer
    this.#draw()
  }

  /** Removes all ranges. May be called twice. */
  close(): void {
    const { editor } = this.#options
    clearTimeout(this.#drawing)
    clearTimeout(this.#asking)
    this.#answer = undefined
    for (const stop of this.#stops.splice(0)) stop()
    if (!editor.isDestroyed) editor.view.dispatch(drawAuthorship(editor.state, []))
  }

  #note(isOwn: boolean): void {
    this.#drawing ??= setTimeout(() => this.#draw(), drawAfterMs)
    if (isOwn) return
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined
      this.#options.onOutdated()
    }, askAfterMs)
  }

  #draw(): void {
    const { editor } = this.#options
    clearTimeout(this.#drawing)
    this.#drawing = undefined
    if (!this.#answer || editor.isDestroyed) return
    const ranges = editor.view.composing ? undefined : this.#find(this.#answer)
    if (!ranges) {
      this.#drawing = setTimeout(() => this.#draw(), drawAfterMs)
      return
    }
    this.#ranges = ranges
    const authors = new Map(
      [...new Set(ranges.map(({ writing }) => writing.actor))].map((id) => [id, this.#entryOf(id)]),
    )
    const drawn = ranges.map(({ from, to, writing }, index) => {
      const { color = '', kind = 'person' } = authors.get(writing.actor) ?? {}
      return { from, to, index, color, look: `authored-${kind}` }
    })
    editor.view.dispatch(drawAuthorship(editor.state, drawn))
    this.state.set({ ...this.state.get(), legend: [...authors.values()] })
    this.#point()
  }

  /** The authors of the editor's text; undefined while the editor and its fragment differ. */
  #find({ ids = [] }: Authorship): AuthoredRange[] | undefined {
    const { editor, connection, self } = this.#options
    const { type } = ySyncPluginKey.getState(editor.state) ?? {}
    if (!type) return undefined
    const { spans, size } = readIdSpans(type, editor.state.schema)
    // An empty fragment is shown as an empty paragraph.
    if (spans.length > 0 && size !== editor.state.doc.content.size) return undefined
    return findAuthors(spans, ids, { client: connection.content.clientID, actor: self.id })
  }

  #entryOf(id: string): LegendEntry {
    const { self } = this.#options
    if (id === self.id) return { id, name: self.name, color: safeColor(self.color), kind: 'person' }
    const known = this.#answer?.authors.find((author) => author.id === id)
    if (known?.kind === 'agent') return { id, name: known.name, color: known.color ?? agentColor, kind: 'agent' }
    const color = known?.color === undefined ? fallbackColorOf(id) : safeColor(known.color)
    return { id, name: known?.name ?? t('Unknown person'), color, kind: 'person' }
  }

  #hover({ target, type }: Event): void {
    const element = target instanceof Element ? target.closest('[data-authored]') : null
    const index = type === 'mouseleave' ? null : element?.getAttribute('data-authored')
    this.#hovered = index ? Number(index) : undefined
    this.#point()
  }

  /** Publishes the author of the text under the mouse, or else at the caret. */
  #point(): void {
    const { state } = this.#options.editor
    const index = this.#hovered ?? authorshipAt(state, state.selection.head)
    const writing = index === undefined ? undefined : this.#ranges[index]?.writing
    const request = this.#answer?.runs.find(({ id }) => id === writing?.run)
    const pointed = writing ? { ...writing, author: this.#entryOf(writing.actor), request } : null
    this.state.set({ ...this.state.get(), pointed })
  }
}
