import type { Folder, Me } from '@copydesk/protocol'
import { FolderPlus } from 'lucide-react'
import { describeError } from '../api/client.ts'
import { useFolders } from '../api/folders.ts'
import { openDialog } from '../documents/folders/dialogs.ts'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FolderTreeView } from './folder-tree-view.tsx'

type FolderSectionProps = { me: Me; onGo: (() => void) | undefined }

/** The tree of folders under its heading, with a button for a new folder. */
export function FolderSection({ me, onGo }: FolderSectionProps) {
  const { data: folders, error, isPending, fetchStatus, refetch } = useFolders()
  const isOffline = isPending && fetchStatus === 'paused'
  return (
    <section aria-labelledby="folders-heading" className="mt-3 flex min-h-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center justify-between ps-4 pe-2">
        <h2 id="folders-heading" className="text-xs font-semibold text-ink-soft">
          {t('Folders')}
        </h2>
        {!me.guest && (
          <IconButton
            label={t('New folder')}
            onClick={() => openDialog({ kind: 'new-folder', parent: null })}
            icon={FolderPlus}
            size={16}
          />
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {folders && <Folders me={me} folders={folders} onGo={onGo} />}
        {!folders && isOffline && <Note>{t('You are offline. Folders appear when you are back.')}</Note>}
        {!folders && error && (
          <div role="alert" className="px-2 text-sm text-danger">
            <p>{describeError(error)}</p>
            <Button size="small" className="mt-2" onClick={() => void refetch()}>
              {t('Try again')}
            </Button>
          </div>
        )}
        {!folders && !error && !isOffline && <TreeSkeleton />}
      </div>
    </section>
  )
}

function Folders({ me, folders, onGo }: FolderSectionProps & { folders: readonly Folder[] }) {
  if (folders.length > 0) return <FolderTreeView me={me} folders={folders} onGo={onGo} />
  if (me.guest) return <Note>{t('No folder is shared with you.')}</Note>
  return <Note>{t('Folders keep documents together, and are shared with everything in them.')}</Note>
}

function Note({ children }: { children: string }) {
  return <p className="px-2 py-1 text-sm text-ink-faint">{children}</p>
}

function TreeSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label={t('Loading folders')} className="flex flex-col gap-3 px-2 py-2">
      {[70, 52, 61].map((width) => (
        <div key={width} className="skeleton h-4" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
