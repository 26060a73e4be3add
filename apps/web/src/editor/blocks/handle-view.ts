import type { EditorView } from 'prosemirror-view'
import { mayWrite } from '../may-write.ts'
import type { WritingUi } from '../writing-ui.ts'
import type { BlockRange } from './block-at.ts'
import { openSlashBelow, selectBlocks } from './block-commands.ts'
import { startDrag } from './block-drag.ts'
import { type BlockHandle, createBlockHandle } from './block-handle.ts'
import { draggedKey } from './dragged.ts'
import { holdBlock } from './hold-block.ts'
import { type MoveContext, moveBlocks } from './move-blocks.ts'

/** Keeps the handle next to the block under the mouse, and runs the actions of its buttons. */
export function createHandleView(view: EditorView, ui: WritingUi, context: MoveContext) {
  const handle = createBlockHandle()
  let y = 0
  let frame = 0
  let isHeld = false
  const place = () => {
    frame = 0
    if (isHeld || view.isDestroyed) return
    if (!mayWrite(view) || y === 0 || view.composing) return handle.hide()
    if (handle.dom.parentElement !== view.dom.parentElement) view.dom.parentElement?.append(handle.dom)
    handle.follow(view, y)
  }
  const placeSoon = () => {
    frame ||= requestAnimationFrame(place)
  }
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
      cancelAnimationFrame(frame)
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
    const held = holdBlock(view.state, range)
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
  // The text keeps the focus.
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
