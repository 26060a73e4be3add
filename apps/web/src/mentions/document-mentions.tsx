import type { Me, Run } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { lazy, Suspense, use, useEffect, useSyncExternalStore } from 'react'
import type { DocumentConnection } from '../collaboration/connection.ts'
import type { usePanel } from '../document/use-panel.ts'
import type { ReviewUi } from '../editor/review/review-ui.ts'
import { useArrival } from '../notifications/use-arrival.ts'
import { directoryOf } from './people-directory.ts'
import { type RunChips, RunChipsContext } from './run-chips.ts'

const RunMenu = lazy(async () => ({ default: (await import('./run-menu.tsx')).RunMenu }))

type DocumentMentionsProps = {
  connection: DocumentConnection
  editor: Editor
  review: ReviewUi
  panel: ReturnType<typeof usePanel>
  me: Me
  canEdit: boolean
  canComment: boolean
  onShowChanges: (run: Run) => void
}

/**
 * Mentions in an opened document: its people directory, scrolling to the target in the address, and the chips' menu.
 */
export function DocumentMentions(props: DocumentMentionsProps) {
  const { connection, editor, review, panel, me } = props
  const chips = use(RunChipsContext)
  const { awareness } = connection.provider
  useEffect(() => {
    const directory = directoryOf(connection.document)
    void directory.refresh()
    return directory.enter(awareness, me.user.id)
  }, [connection, awareness, me.user.id])
  useArrival({
    connection,
    editor,
    selectThread: (thread) => review.put({ thread }),
    showComments: panel.showComments,
    showChat: () => {
      panel.setOpen(true)
      panel.setTab('chat')
    },
  })
  return chips && <Menu {...props} chips={chips} />
}

function Menu({
  chips,
  connection,
  panel,
  canEdit,
  canComment,
  onShowChanges,
}: DocumentMentionsProps & { chips: RunChips }) {
  const isOpen = useSyncExternalStore(chips.menu.subscribe, () => chips.menu.get() !== null)
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <RunMenu
        chips={chips}
        document={connection.document}
        canEdit={canEdit}
        canStop={canComment}
        onOpenRun={panel.showRun}
        onShowChanges={onShowChanges}
      />
    </Suspense>
  )
}
