import type { Me, Selection } from '@copydesk/protocol'
import { IfAllowed } from '../access/if-allowed.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { usePresence, useRoom } from '../collaboration/hooks.ts'
import type { ShownRun } from '../document/use-panel.ts'
import { colorOfId } from '../ui/person-look.ts'
import './chat.css'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'

type ChatPanelProps = {
  connection: DocumentConnection
  me: Me
  shownRun: ShownRun | undefined
  readSelection: () => Selection | undefined
  canEdit: boolean
  onShowText: (text: string) => void
}

/** The chat that everybody in the document shares with the agent. */
export function ChatPanel({ connection, me, shownRun, readSelection, canEdit, onShowText }: ChatPanelProps) {
  const room = useRoom(connection.room)
  const here = usePresence(connection, me.user.id)
  const colorOf = (id: string) => here.find((presence) => presence.id === id)?.color ?? colorOfId(id)
  return (
    <>
      <Conversation
        document={connection.document}
        room={room}
        colorOf={colorOf}
        shownRun={shownRun}
        provider={me.agent.provider}
        canEdit={canEdit}
        onShowText={onShowText}
      />
      {me.agent.setup && (
        <p className="mx-3 mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          {me.agent.setup.startsWith('No model is configured') ? '' : 'No model is configured. '}
          {me.agent.setup}
        </p>
      )}
      <IfAllowed document={connection.document} to="ask">
        <Composer document={connection.document} canEdit={canEdit} readSelection={readSelection} />
      </IfAllowed>
    </>
  )
}
