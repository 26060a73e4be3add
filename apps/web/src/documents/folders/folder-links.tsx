import { ChevronRight, Folder as FolderIcon } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useFolder, useFolders } from '../../api/folders.ts'
import { Link } from '../../common/location.tsx'
import type { Store } from '../../common/store.ts'
import { t } from '../../i18n/translate.ts'
import { listPath } from '../data/list-address.ts'
import { pathTo } from '../data/folder-tree.ts'

/**
 * A link to a document's folder in a row of a list, with its name; renders nothing for a folder that the user can't
 * see.
 */
export function FolderLink({ id }: { id: string }) {
  const { data: folder } = useFolder(id)
  if (!folder) return null
  return (
    <Link
      to={listPath({ folder: id })}
      draggable={false}
      // Above the row's link, and on touch screens large enough for a finger.
      className="relative z-10 inline-flex max-w-32 min-w-0 items-center gap-1 rounded lg:max-w-48 text-xs text-ink-faint pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3 hover:text-ink hover:underline"
    >
      <FolderIcon size={13} aria-hidden className="shrink-0" />
      <span className="sr-only">{t('Folder:')} </span>
      <span dir="auto" className="truncate">
        {folder.name}
      </span>
    </Link>
  )
}

// More would take too much space in a bar that also shows the title.
const shownInBar = 2

/** The folders that contain an open document, as far as the user may see them; only the innermost in a narrow bar. */
export function FolderPath({ folder, titleInView }: { folder: string; titleInView: Store<boolean> }) {
  const { data: folders = [] } = useFolders()
  const isTitleInView = useSyncExternalStore(titleInView.subscribe, titleInView.get)
  const path = pathTo(folders, folder)
  const shown = path.slice(-shownInBar)
  if (shown.length === 0) return null
  return (
    <nav aria-label={t('Way to this document')} className="flex shrink-0 items-center max-sm:hidden">
      <FolderIcon size={15} aria-hidden className="shrink-0 text-ink-faint" />
      <ol className="flex items-center gap-x-1 ps-1.5 text-sm text-ink-soft">
        {path.length > shown.length && <li className="flex items-center gap-1 max-lg:hidden">…{sign}</li>}
        {shown.map(({ id, name }, index) => {
          const isLast = index === shown.length - 1
          const look = isLast ? 'max-w-24 lg:max-w-44' : 'max-w-28 max-lg:hidden'
          return (
            <Crumb key={id} to={listPath({ folder: id })} name={name} look={look} isLast={isLast && isTitleInView} />
          )
        })}
      </ol>
    </nav>
  )
}

const sign = <ChevronRight size={14} aria-hidden className="shrink-0 opacity-70 rtl:rotate-180" />

type CrumbProps = { to: string; name: string; look?: string; isLast?: boolean }

/** One folder of a path; `look` are classes of its width. A separator follows it unless it is the last. */
export function Crumb({ to, name, look = 'max-w-48', isLast = false }: CrumbProps) {
  return (
    <li className={`flex min-w-0 items-center gap-1 ${look}`}>
      <Link to={to} dir="auto" className="truncate rounded py-0.5 hover:text-ink hover:underline pointer-coarse:py-2.5">
        {name}
      </Link>
      {!isLast && sign}
    </li>
  )
}
