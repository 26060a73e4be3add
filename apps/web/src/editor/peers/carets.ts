import { CollaborationCaret } from '@tiptap/extension-collaboration-caret'
import type { AnyExtension, Editor } from '@tiptap/core'
import { CellSelection } from '@tiptap/pm/tables'
import type { EditorState } from 'prosemirror-state'
import type { Awareness } from 'y-protocols/awareness'
import { sameJson } from '../../common/store.ts'
import { activityText, type LocalUser } from '../../collaboration/presence.ts'
import { safeColor } from '../../ui/people/person-look.ts'
import { selectionEnds, toRelative } from '../common/positions.ts'
import { createCaretDrawing } from './caret-drawing.ts'
import { createCaretLabels } from './caret-labels.ts'

type PeerState = { user?: Record<string, unknown>; activity?: unknown; [field: string]: unknown }

/**
 * Shows peers' carets, and publishes this user's. A label fades when its caret rests and reappears when it moves or the
 * pointer is near; an agent's label is visible while the agent is active, and shows its activity. All moves within a
 * frame are drawn together.
 */
export function createCarets(awareness: Awareness, user: LocalUser): AnyExtension {
  const labels = createCaretLabels()
  const refresh = (client: number) => {
    const state: PeerState | undefined = awareness.getStates().get(client)
    if (state) labels.show(client, state.user ?? {}, activityText(state.activity))
    else labels.forget(client)
  }
  let editor: Editor | undefined
  const extension = CollaborationCaret.extend({
    addProseMirrorPlugins() {
      editor = this.editor
      const drawing = createCaretDrawing(awareness, ({ dom }, changed) => {
        changed.forEach(refresh)
        labels.place(dom)
      })
      return [...(this.parent?.() ?? []), drawing]
    },
    onCreate() {
      this.editor.on('destroy', labels.watch(this.editor.view.dom))
    },
  })
  return extension.configure({
    provider: { awareness: awarenessForCarets(awareness, (given) => editor && ownCursor(editor.state, given)) },
    user,
    render: (peer) => labels.create(peer, typeof peer.activity === 'string' ? peer.activity : ''),
    selectionRender: (peer) => ({ style: `background-color: ${safeColor(peer.color)}33`, class: 'peer-selection' }),
  })
}

/**
 * The part of an awareness that the caret plugin uses. Without focus the plugin clears the cursor; here it remains and
 * follows the text, so that a selection survives typing in the chat. Selected cells are published by their corners,
 * where the plugin publishes only the last one. Each user gets the fields for drawing the caret. Events of cursor moves
 * are suppressed: the plugin would redraw all carets on each, including this user's own.
 */
function awarenessForCarets(awareness: Awareness, own: (given: unknown) => unknown) {
  return {
    get states() {
      return awareness.getStates()
    },
    getStates() {
      const states = new Map<number, PeerState>()
      for (const [clientId, state] of awareness.getStates() as Map<number, PeerState>) {
        states.set(clientId, {
          ...state,
          user: {
            ...state.user,
            color: safeColor(state.user?.color),
            clientId,
            activity: activityText(state.activity),
          },
        })
      }
      return states
    },
    getLocalState: () => awareness.getLocalState(),
    setLocalStateField(field: string, value: unknown) {
      const next = field === 'cursor' ? own(value) : value
      // At each of its updates, the plugin treats the corners, and the field that it has cleared, as a change.
      if (field === 'cursor' && (!next || sameJson(next, awareness.getLocalState()?.[field]))) return
      awareness.setLocalStateField(field, next)
    },
    on(event: 'change' | 'update', listener: () => void) {
      if (event !== 'change') awareness.on(event, listener)
    },
    off(event: 'change' | 'update', listener: () => void) {
      if (event !== 'change') awareness.off(event, listener)
    },
  }
}

// As the plugin computes it, relative to the character behind it: a cursor that moves with this user's typing needs no
// message for each key.
function ownCursor(state: EditorState, given: unknown): unknown {
  if (given && !(state.selection instanceof CellSelection)) return given
  const { anchor, head } = selectionEnds(state)
  const cursor = { anchor: toRelative(state, anchor), head: toRelative(state, head) }
  return cursor.head && cursor
}
