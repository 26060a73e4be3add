import type { EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { WritingUi } from '../common/editor-ui.ts'
import { mayWrite } from '../common/may-write.ts'
import { toPosition, toRelative } from '../common/positions.ts'
import { type BlockRange, draggedKey } from './block-at.ts'
import { openSlashBelow, selectBlocks } from './block-commands.ts'
import { startDrag } from './block-drag.ts'
import { type BlockHandle, createBlockHandle } from './block-handle.ts'
import { moveBlocks, type MoveContext } from './move-blocks.ts'
import { oncePerFrame } from '../../common/throttle.ts'

/** Keeps the handle next to the block under the mouse, and runs the actions of its buttons. */
export function createHandleView(view: EditorView, ui: WritingUi, context: MoveContext) {
  const handle = createBlockHandle()
  let y = 0
  let isHeld = false
  const { schedule: placeSoon, cancel } = oncePerFrame(() => {
    if (isHeld || view.isDestroyed) return
    if (!mayWrite(view) || y === 0 || view.composing) return handle.hide()
    if (handle.dom.parentElement !== view.dom.parentElement) view.dom.parentElement?.append(handle.dom)
    handle.follow(view, y)
  })
  const onMove = (event: PointerEvent) => {
    const scroller = view.dom.closest('[data-scroller]')
    const isInside = event.target instanceof Node && scroller?.contains(event.target) === true
    // Touch has no hover; touch users have the toolbar and the menus.
    y = isInside && event.pointerType === 'mouse' && event.buttons === 0 ? event.clientY : 0
    placeSoon()
  }
  // Hides the handle while the user types.
  const onKey = () => {
    y = 0
    if (!isHeld) handle.hide()
  }
  const hold = (held: boolean) => {
    isHeld = held
    if (!held) placeSoon()
  }
  bindButtons(view, { handle, ui, context, hold })
  document.addEventListener('pointermove', onMove, { passive: true })
  view.dom.addEventListener('keydown', onKey)
  addEventListener('scroll', placeSoon, { capture: true, passive: true })
  return {
    update: placeSoon,
    destroy() {
      cancel()
      document.removeEventListener('pointermove', onMove)
      view.dom.removeEventListener('keydown', onKey)
      removeEventListener('scroll', placeSoon, { capture: true })
      handle.dom.remove()
    },
  }
}

type Parts = { handle: BlockHandle; ui: WritingUi; context: MoveContext; hold: (held: boolean) => void }

function bindButtons(view: EditorView, { handle, ui, context, hold }: Parts): void {
  const mark = (range: BlockRange | null) => view.dispatch(view.state.tr.setMeta(draggedKey, { range }))
  handle.grip.addEventListener('pointerdown', (event) => {
    const range = handle.at()
    if (event.button !== 0 || !range) return
    event.preventDefault()
    const held = trackBlock(view.state, range)
    const source = () => held(view.state)
    hold(true)
    startDrag(event, {
      view,
      source,
      onBegin: () => mark(source()),
      onDrop: (from, { position }) => {
        moveBlocks(view, from, position, context)
        view.focus()
      },
      onClick: () => openMenu(view, ui, handle.grip, source()),
      onEnd: () => {
        mark(null)
        hold(false)
      },
    })
  })
  // Keeps the focus in the text.
  handle.plus.addEventListener('pointerdown', (event) => event.preventDefault())
  handle.plus.addEventListener('click', () => {
    const range = handle.at()
    handle.hide()
    if (range) openSlashBelow(view, range)
  })
}

function openMenu(view: EditorView, ui: WritingUi, grip: HTMLElement, range: BlockRange | null): void {
  if (!range) return
  selectBlocks(view, range)
  const { left, top, height } = grip.getBoundingClientRect()
  ui.blockMenu.set({ left, top, height })
}

/**
 * Tracks blocks while peers may write: returns a function that finds them in a later state, or null once they are
 * deleted.
 */
function trackBlock(state: EditorState, { from, to }: BlockRange): (later: EditorState) => BlockRange | null {
  const held = state.doc.nodeAt(from)
  const relative = toRelative(state, from)
  return (later) => {
    if (later.doc === state.doc || !relative) return { from, to }
    const position = toPosition(later, relative)
    const node = position === undefined ? null : later.doc.nodeAt(position)
    if (position === undefined || !node || node.type !== held?.type) return null
    return { from: position, to: position + node.nodeSize }
  }
}
