import { CollaborationCaret } from '@tiptap/extension-collaboration-caret'
import type { AnyExtension, Editor } from '@tiptap/core'
import type { Awareness } from 'y-protocols/awareness'
import type { LocalUser } from '../collaboration/presence.ts'
import { inkOn, safeColor } from '../ui/person-look.ts'

type PeerState = { user?: Record<string, unknown>; activity?: { label?: unknown } | null; [field: string]: unknown }

/**
 * Shows where others are writing, and tells them where the caller is. A caret's label fades when it rests and comes back when it moves or
 * the pointer is near; an agent's stays while it is doing something and says what.
 */
export function createCarets(awareness: Awareness, user: LocalUser): AnyExtension {
  const labels = new Map<number, HTMLElement>()
  const extension = CollaborationCaret.extend({
    onCreate() {
      // A listener of its own for each editor: React's strict mode makes one more and destroys it.
      const listener = (change: { updated: number[] }) => refresh(change)
      awareness.on('change', listener)
      const stopLooking = showLabelsNearPointer(this.editor)
      this.editor.on('destroy', () => {
        awareness.off('change', listener)
        stopLooking()
      })
    },
  })
  function refresh({ updated }: { updated: number[] }) {
    for (const client of updated) {
      const label = labels.get(client)
      const state: PeerState | undefined = awareness.getStates().get(client)
      if (label?.isConnected && state) showLabel(label, state.user ?? {}, activityOf(state))
    }
  }
  return extension.configure({
    provider: { awareness: awarenessForCarets(awareness) },
    user,
    render(peer) {
      const { caret, label } = createCaret(peer)
      if (typeof peer.clientId === 'number') labels.set(peer.clientId, label)
      return caret
    },
    selectionRender: (peer) => ({ style: `background-color: ${safeColor(peer.color)}33`, class: 'peer-selection' }),
  })
}

/**
 * The part of an awareness that the caret plugin uses. It drops the plugin's wish to clear the cursor on blur, so that a
 * selection survives writing in the chat, and adds to each user what drawing their caret needs.
 */
function awarenessForCarets(awareness: Awareness) {
  return {
    get states() {
      return awareness.getStates()
    },
    getStates() {
      const states = new Map<number, PeerState>()
      for (const [clientId, state] of awareness.getStates() as Map<number, PeerState>) {
        states.set(clientId, {
          ...state,
          user: { ...state.user, color: safeColor(state.user?.color), clientId, activity: activityOf(state) },
        })
      }
      return states
    },
    getLocalState: () => awareness.getLocalState(),
    setLocalStateField(field: string, value: unknown) {
      if (field === 'cursor' && value === null) return
      awareness.setLocalStateField(field, value)
    },
    on: awareness.on.bind(awareness),
    off: awareness.off.bind(awareness),
  }
}

function activityOf(state: PeerState): string {
  return typeof state.activity?.label === 'string' ? state.activity.label : ''
}

function createCaret(peer: Record<string, unknown>): { caret: HTMLElement; label: HTMLElement } {
  const color = safeColor(peer.color)
  const caret = document.createElement('span')
  const label = document.createElement('span')
  caret.className = 'peer-caret'
  caret.dataset.kind = peer.kind === 'agent' ? 'agent' : 'person'
  caret.style.borderColor = color
  label.className = 'peer-label'
  Object.assign(label.style, { backgroundColor: color, color: inkOn(color) })
  showLabel(label, peer, typeof peer.activity === 'string' ? peer.activity : '')
  caret.append('\u2060', label, '\u2060')
  return { caret, label }
}

function showLabel(label: HTMLElement, user: Record<string, unknown>, activity: string): void {
  const name = typeof user.name === 'string' ? user.name : 'Someone'
  const text = activity ? `${name} · ${activity}` : name
  if (label.textContent !== text) label.textContent = text
  label.dataset.busy = String(activity !== '')
  replay(label)
}

// An animation would have the browser draw the page anew at every tick, for each caret: a label that rests costs nothing.
const resting = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()
const shownForMs = 2400

function replay(label: HTMLElement): void {
  clearTimeout(resting.get(label))
  label.classList.remove('peer-label-resting')
  if (label.dataset.busy === 'true') return
  resting.set(
    label,
    setTimeout(() => label.classList.add('peer-label-resting'), shownForMs),
  )
}

// Carets take no pointer events, so that one can click into the text under them.
const nearPx = 10

function showLabelsNearPointer({ view }: Editor): () => void {
  let frame = 0
  const stop = new AbortController()
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      for (const caret of view.dom.querySelectorAll('.peer-caret')) {
        const { left, right, top, bottom } = caret.getBoundingClientRect()
        const isNear = clientX > left - nearPx && clientX < right + nearPx && clientY > top && clientY < bottom
        const label = isNear ? caret.querySelector<HTMLElement>('.peer-label') : null
        if (label) replay(label)
      }
    })
  }
  view.dom.addEventListener('pointermove', onMove, { passive: true, signal: stop.signal })
  return () => {
    cancelAnimationFrame(frame)
    stop.abort()
  }
}
