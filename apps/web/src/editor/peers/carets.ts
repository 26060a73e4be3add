import { CollaborationCaret } from '@tiptap/extension-collaboration-caret'
import type { AnyExtension, Editor } from '@tiptap/core'
import { CellSelection } from '@tiptap/pm/tables'
import type { EditorState } from 'prosemirror-state'
import type { Awareness } from 'y-protocols/awareness'
import { absolutePositionToRelativePosition, ySyncPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { sameJson } from '../../common/store.ts'
import { activityText, type LocalUser } from '../../collaboration/presence.ts'
import { safeColor } from '../../ui/people/person-look.ts'

import { selectionEnds } from '../common/positions.ts'
import { createCaretDrawing } from './caret-drawing.ts'
import { createCaretLabels } from './caret-labels.ts'

type PeerState = { user?: Record<string, unknown>; activity?: unknown; [field: string]: unknown }

/**
 * Shows peers' carets, and publishes this user's. A label fades when its caret rests and reappears when it moves or the
 * pointer is near; an agent's label stays while the agent is active and names its activity. All moves within a frame
 * are drawn together.
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
    provider: { awareness: awarenessForCarets(awareness, () => editor && cursorOfCells(editor.state)) },
    user,
    render: (peer) => labels.create(peer, typeof peer.activity === 'string' ? peer.activity : ''),
    selectionRender: (peer) => ({ style: `background-color: ${safeColor(peer.color)}33`, class: 'peer-selection' }),
  })
}

/**
 * The part of an awareness that the caret plugin uses. It ignores the plugin's request to clear the cursor on blur, so
 * that a selection survives typing in the chat; publishes selected cells by their corners, where the plugin publishes
 * only the last one; adds to each user what drawing the caret needs; and suppresses the events of cursor moves: the
 * plugin would redraw all carets on each, including this user's own.
 */
function awarenessForCarets(awareness: Awareness, cells: () => Cursor | undefined) {
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
      if (field === 'cursor' && value === null) return
      const next = (field === 'cursor' ? cells() : undefined) ?? value
      // The plugin takes the corners for a change at each of its updates.
      if (field === 'cursor' && sameJson(next, awareness.getLocalState()?.[field])) return
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

type Cursor = { anchor: Y.RelativePosition; head: Y.RelativePosition }

function cursorOfCells(state: EditorState): Cursor | undefined {
  const { type, binding } = ySyncPluginKey.getState(state) ?? {}
  if (!(state.selection instanceof CellSelection) || !type || !binding) return undefined
  const { anchor, head } = selectionEnds(state)
  const at = (position: number) => absolutePositionToRelativePosition(position, type, binding.mapping)
  return { anchor: at(anchor), head: at(head) }
}
