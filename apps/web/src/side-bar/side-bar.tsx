import type { Me } from '@copydesk/protocol'
import { FilePlus2, Files, type LucideIcon, Star, Trash2, Users, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, usePath, useSearch } from '../common/location.tsx'
import { listPath } from '../documents/data/list-address.ts'
import { useCreateDocument } from '../documents/data/use-documents.ts'
import { useFolderDrop } from '../documents/folders/use-move.ts'
import { t } from '../i18n/translate.ts'
import { IconButton } from '../ui/button.tsx'
import { FolderSection } from './folder-section.tsx'

type SideBarProps = {
  me: Me
  place: 'list' | 'document'
  /** Closes the sheet that the side bar is in. */
  onClose?: () => void
  /** Calls back after another page was chosen. */
  onGo?: () => void
}

/** The ways to documents: all, those with a star, shared ones, folders, and the trash. */
export function SideBar({ me, place, onClose, onGo }: SideBarProps) {
  const create = useCreateDocument()
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-14 shrink-0 items-center gap-1 ps-3 pe-2">
        <Link to="/" onClick={onGo} className="flex min-w-0 flex-1 items-center gap-2 rounded-md py-1 font-semibold">
          <img src="/icon.svg" alt="" width={24} height={24} />
          Copydesk
        </Link>
        {place === 'document' && !me.guest && (
          <IconButton
            label={t('New document')}
            disabled={create.isPending}
            onClick={() => create.mutate({}, { onSuccess: onGo })}
            icon={FilePlus2}
          />
        )}
        {onClose && <IconButton label={t('Close')} onClick={onClose} icon={X} />}
      </div>
      <nav aria-label={t('Lists')} className="shrink-0 px-2">
        <AllDocuments onGo={onGo} />
        <View to={listPath({ starred: true })} icon={Star} onGo={onGo}>
          {t('Starred')}
        </View>
        {me.auth === 'accounts' && (
          <View to={listPath({ owner: 'others' })} icon={Users} onGo={onGo}>
            {t('Shared with me')}
          </View>
        )}
        <View to={listPath({ trash: true })} icon={Trash2} onGo={onGo}>
          {t('Trash')}
        </View>
      </nav>
      <FolderSection me={me} onGo={onGo} />
    </div>
  )
}

type ViewProps = {
  to: string
  icon: LucideIcon
  onGo: (() => void) | undefined
  isTarget?: boolean
  children: ReactNode
}

function View({ to, icon: Icon, onGo, isTarget = false, children }: ViewProps) {
  const isCurrent = usePath() + useSearch() === to
  return (
    <Link
      to={to}
      onClick={onGo}
      aria-current={isCurrent ? 'page' : undefined}
      className={`flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-strong pointer-coarse:h-10 ${isTarget ? 'bg-accent-soft outline-2 outline-accent' : ''}`}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="truncate">{children}</span>
    </Link>
  )
}

/** The list of all documents; what is dropped here leaves its folder. */
function AllDocuments({ onGo }: Pick<ViewProps, 'onGo'>) {
  const { isOver, target } = useFolderDrop(null)
  return (
    <div {...target}>
      <View to="/" icon={Files} onGo={onGo} isTarget={isOver}>
        {t('All documents')}
      </View>
    </div>
  )
}
