import type { Run } from '@copydesk/protocol'
import type { Node } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView, NodeViewConstructor } from 'prosemirror-view'
import { visitorColors } from '../collaboration/presence.ts'
import type { RoomStore } from '../collaboration/room-store.ts'
import { t } from '../i18n/translate.ts'
import { chipHint, chipState } from './chip-state.ts'

// No name is longer; an older document may contain any text.
const longestLabel = 200

/** Opens the actions of a run, next to its chip. */
export type OpenRun = (run: string, chip: HTMLElement) => void

/**
 * The node view of mentions, in plain DOM: a chip that follows its run in the room. A click on a chip with a run, or
 * Enter or Space while it has the focus, calls `onOpen` with the run's id.
 */
export function createChipView(room: RoomStore, onOpen: OpenRun): NodeViewConstructor {
  return (initial, view, getPos) => {
    let node = initial
    let run: Run | undefined
    const dom = document.createElement('span')
    const name = dom.appendChild(document.createElement('span'))
    const hint = dom.appendChild(document.createElement('span'))
    dom.className = 'mention'
    dom.dataset.mention = ''
    hint.className = 'mention-hint'

    const render = () => {
      run = findRun(room, node)
      const unstarted = room.get().unstarted.get(String(node.attrs.requestId ?? ''))
      const kind = node.attrs.kind === 'agent' ? 'agent' : 'person'
      const state = chipState({ kind, state: readState(node) }, run, unstarted)
      const label = `@${String(node.attrs.label).slice(0, longestLabel)}`
      const words = chipHint(state, unstarted)
      dom.dataset.kind = String(node.attrs.kind)
      // The key by which a link to the mention finds it.
      dom.dataset.request = String(node.attrs.requestId ?? '')
      if (state === 'person') delete dom.dataset.runState
      else dom.dataset.runState = state
      if (name.textContent !== label) name.textContent = label
      if (hint.textContent !== words) hint.textContent = words
      const color = kind === 'agent' ? visitorColors.get().get(String(node.attrs.id)) : undefined
      if (color) {
        dom.dataset.named = ''
        dom.style.setProperty('--agent-color', color)
      }
      hint.hidden = words === ''
      dom.title = state === 'unstarted' ? t('This request has not started a run. Mention the agent to ask again.') : ''
      makeButton(dom, run !== undefined)
    }
    // The browser would put the caret inside of the chip, where typed text is lost.
    const onClick = () => {
      const position = getPos()
      if (run) onOpen(run.id, dom)
      else if (position !== undefined) placeCaret(view, position + node.nodeSize)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (!run || (event.key !== 'Enter' && event.key !== ' ')) return
      event.preventDefault()
      onOpen(run.id, dom)
    }
    const stops = [room.subscribe(render), visitorColors.subscribe(render)]
    dom.addEventListener('click', onClick)
    dom.addEventListener('keydown', onKeyDown)
    render()
    return {
      dom,
      update(next) {
        if (next.type !== node.type) return false
        node = next
        render()
        return true
      },
      // While the chip itself has the focus, the text ignores its keys.
      stopEvent: (event) => event.type === 'keydown' && event.target === dom,
      ignoreMutation: () => true,
      destroy: () => stops.forEach((stop) => stop()),
    }
  }
}

function makeButton(dom: HTMLElement, isButton: boolean): void {
  if (isButton) {
    dom.setAttribute('role', 'button')
    dom.setAttribute('aria-haspopup', 'menu')
    dom.tabIndex = 0
  } else {
    dom.removeAttribute('role')
    dom.removeAttribute('aria-haspopup')
    dom.removeAttribute('tabindex')
  }
}

function placeCaret(view: EditorView, position: number): void {
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, position)))
  view.focus()
}

function readState(node: Node): 'draft' | 'sent' {
  return node.attrs.state === 'sent' ? 'sent' : 'draft'
}

function findRun(room: RoomStore, node: Node): Run | undefined {
  const requestId: unknown = node.attrs.requestId
  return typeof requestId === 'string' ? room.runOfMention(requestId) : undefined
}
