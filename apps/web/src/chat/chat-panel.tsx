import type { Me, Selection } from '@copydesk/protocol'
import { X } from 'lucide-react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { usePresence, useRoom } from '../collaboration/hooks.ts'
import type { ShownRun } from '../document/use-panel.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { colorOfId } from '../ui/person-look.ts'
import './chat.css'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'

type ChatPanelProps = {
  connection: DocumentConnection
  me: Me
  shownRun: ShownRun | undefined
  readSelection: () => Selection | undefined
  onClose: () => void
}

/** The chat that everybody in the document shares with the agent. */
export function ChatPanel({ connection, me, shownRun, readSelection, onClose }: ChatPanelProps) {
  const room = useRoom(connection.room)
  const here = usePresence(connection, me.user.id)
  const colorOf = (id: string) => here.find((presence) => presence.id === id)?.color ?? colorOfId(id)
  return (
    <>
      <header className="flex h-12 shrink-0 items-center justify-between border-b border-line pr-1.5 pl-4">
        <h2 className="text-sm font-semibold">Chat with the agent</h2>
        <IconButton label="Close chat" onClick={onClose}>
          <X size={17} aria-hidden />
        </IconButton>
      </header>
      <Conversation
        document={connection.document}
        room={room}
        colorOf={colorOf}
        shownRun={shownRun}
        provider={me.agent.provider}
      />
      {me.agent.setup && (
        <p className="mx-3 mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          {me.agent.setup.startsWith('No model is configured') ? '' : 'No model is configured. '}
          {me.agent.setup}
        </p>
      )}
      <Composer document={connection.document} readSelection={readSelection} />
    </>
  )
}
