import { readChanges, readSuggestions } from '@copydesk/schema'
import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { visitorColors } from '../../collaboration/presence.ts'
import type { RoomStore } from '../../collaboration/room-store.ts'
import { throttle } from '../../common/throttle.ts'
import { anchorsOf } from './anchors.ts'
import { reviewAtCaret } from './at-caret.ts'
import { changeWords } from './change-words.ts'
import { inWords } from './in-words.ts'
import { cleanPasted, redirectKeysToForm, replaceWithoutChangeMarks, withoutChangeMarks } from './typing.ts'
import { activeRules, reviewRules } from './review-classes.ts'
import { reviewKeys } from './review-keys.ts'
import type { OpenChange, ReviewUi } from './review-ui.ts'

/**
 * The options of a review in the text. `colorOf` returns a user's colour, `onOpenThread` shows a clicked thread,
 * `onKeysBeforeForm` changes the draft of a new comment, which is typed before its form is mounted.
 */
export type ReviewOptions = {
  room: RoomStore
  ui: ReviewUi
  colorOf: (person: string) => string
  onOpenThread: (thread: string) => void
  onKeysBeforeForm: (change: (now: string) => string) => void
}

const readDelay = 100
const hoverDelay = 150
const leaveDelay = 300

/**
 * Shows comments and suggested changes in the text and keeps `ui` current: the existing ones, and those at the caret or
 * the mouse. Doesn't change the document: the server makes decisions.
 */
export function createReview(options: ReviewOptions): Extension {
  return Extension.create({
    name: 'review',
    addKeyboardShortcuts: () => ({
      [reviewKeys.comment]: ({ editor }) => {
        if (editor.state.selection.empty) return false
        options.ui.put({ composing: true })
        redirectKeysToForm(editor.view, {
          write: (change) => options.onKeysBeforeForm(change),
          cancel: () => options.ui.put({ composing: false }),
        })
        return true
      },
    }),
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('review'),
        appendTransaction: (_transactions, _before, after) => withoutChangeMarks(after),
        props: {
          decorations: drawBoxes,
          handleTextInput(view, from, to, text) {
            const transaction = replaceWithoutChangeMarks(view.state, from, to, text)
            if (transaction) view.dispatch(transaction)
            return transaction !== null
          },
          // A drag inside the text keeps all ids.
          transformPasted: (slice, view) =>
            view.dragging?.move === true ? slice : cleanPasted(slice, anchorsOf(view.state.doc)),
          handleClick: (_view, _position, event) => openThread(event, options),
          handleDOMEvents: createHover(options.ui),
        },
        view: (view) => createReviewView(view, options),
      }),
    ],
  })
}

/** Draws the attributes of nodes with their own node views, which don't render them. */
export function drawBoxes({ doc }: EditorState): DecorationSet | null {
  const { boxes } = anchorsOf(doc)
  if (boxes.length === 0) return null
  return DecorationSet.create(
    doc,
    boxes.map(({ from, to, attributes }) => Decoration.node(from, to, attributes)),
  )
}

function openThread(event: MouseEvent, { room, ui, onOpenThread }: ReviewOptions): boolean {
  const element = event.target instanceof Element ? event.target.closest('[data-thread],[data-threads]') : null
  const ids = [element?.getAttribute('data-thread') ?? '', ...(element?.getAttribute('data-threads') ?? '').split(' ')]
  const open = ids.find((id) => room.get().threads.get(id)?.resolved === false)
  if (open === undefined) return false
  ui.put({ thread: open })
  onOpenThread(open)
  // The click still moves the caret.
  return false
}

function createHover(ui: ReviewUi) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (delay: number, act: () => void) => {
    clearTimeout(timer)
    timer = setTimeout(act, delay)
  }
  const leave = () => later(leaveDelay, () => !isOverCard() && ui.put({ hovered: null }))
  return {
    mouseover(view: EditorView, event: MouseEvent) {
      if (event.buttons !== 0 || !matchMedia('(hover: hover)').matches) return false
      const element = event.target instanceof Element ? event.target : null
      const ids = element ? changesAround(element, view.dom) : []
      const box = element?.getBoundingClientRect()
      if (ids.length === 0 || !box) leave()
      else later(hoverDelay, () => ui.put({ hovered: { ids, left: event.clientX, top: box.top, bottom: box.bottom } }))
      return false
    },
    mouseleave() {
      leave()
      return false
    },
  }
}

function isOverCard(): boolean {
  return document.querySelector('[data-change-card]:is(:hover,:focus-within)') !== null
}

function changesAround(element: Element, root: Element): string[] {
  const ids = new Set<string>()
  for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
    const change = at.getAttribute('data-change')
    if (change) ids.add(change)
    for (const { id } of readSuggestions(at.getAttribute('data-suggestion'))) ids.add(id)
  }
  return [...ids]
}

function createReviewView(view: EditorView, { room, ui, colorOf }: ReviewOptions) {
  const looks = createSheet()
  const active = createSheet()
  const reading = throttle(readDelay, () => ui.put({ changes: readOpenChanges(view.state, room) }))

  const paint = () => {
    const { changes, threads } = anchorsOf(view.state.doc)
    const records = room.get().changes
    const rules = reviewRules({
      changes: [...changes.keys()].flatMap((id) => {
        const author = records.get(id)?.author
        return author ? [{ id, color: author.id === 'agent' ? 'agent' : colorOf(author.id) }] : []
      }),
      threads: [...threads.keys()].filter((id) => room.get().threads.get(id)?.resolved === false),
    })
    looks.put(rules)
    paintActive()
  }
  const paintActive = () => {
    const { atCaret, hovered, thread } = ui.get()
    const isOpen = thread !== null && room.get().threads.get(thread)?.resolved === false
    active.put(activeRules(isOpen ? thread : null, hovered?.ids ?? atCaret))
  }
  const onDocument = () => {
    const { changes, threads } = anchorsOf(view.state.doc)
    ui.put({ threads: [...threads.keys()] })
    if (changes.size > 0 || ui.get().changes.length > 0) reading.schedule()
    paint()
  }
  let { changes: known, threads: knownThreads } = room.get()
  const onRoom = () => {
    const { changes, threads } = room.get()
    // While an answer streams, the room changes continuously.
    if (changes === known && threads === knownThreads) return
    known = changes
    knownThreads = threads
    onDocument()
  }
  const stops = [room.subscribe(onRoom), ui.subscribe(paintActive), visitorColors.subscribe(paint)]
  onDocument()
  return {
    update(_view: EditorView, before: EditorState) {
      const { doc, selection } = view.state
      if (doc !== before.doc) onDocument()
      if (view.hasFocus() && (doc !== before.doc || selection !== before.selection))
        pointWithCaret(view.state, { room, ui }, doc !== before.doc)
    },
    destroy() {
      reading.cancel()
      for (const stop of stops) stop()
      looks.remove()
      active.remove()
    },
  }
}

/** A style sheet of the page, empty until rules are inserted. */
export function createSheet() {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  let rules = ''
  return {
    put(next: string) {
      if (next !== rules) sheet.replaceSync(next)
      rules = next
    },
    remove() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    },
  }
}

// Typing opens no card that would cover the text; an open card remains and follows the caret.
function pointWithCaret(state: EditorState, { room, ui }: Pick<ReviewOptions, 'room' | 'ui'>, isTyping: boolean): void {
  const { changes, threads } = reviewAtCaret(state)
  const thread = threads.find((id) => room.get().threads.get(id)?.resolved === false) ?? null
  const open = ui.get().atCaret
  ui.put({ atCaret: isTyping ? changes.filter((id) => open.includes(id)) : changes, thread, hovered: null })
}

function readOpenChanges(state: EditorState, room: RoomStore): OpenChange[] {
  if (anchorsOf(state.doc).changes.size === 0) return []
  const { changes: records, runs } = room.get()
  return readChanges(state.doc, changeWords()).map((change) => {
    const record = records.get(change.id)
    const words = inWords(state.doc, change)
    if (!record) return words
    const { author, createdAt, run, alsoBy } = record
    const instruction = run === undefined ? undefined : runs.get(run)?.instruction
    const made = { author, createdAt, ...(alsoBy ? { alsoBy } : {}) }
    return { ...words, ...made, ...(run ? { run } : {}), ...(instruction ? { instruction } : {}) }
  })
}
