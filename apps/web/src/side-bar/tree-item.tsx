import type { DocumentSummary, Me } from '@copydesk/protocol'
import { ChevronRight, Ellipsis, FileText, Folder, FolderOpen, type LucideIcon } from 'lucide-react'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { lazyPart } from '../common/lazy-part.ts'
import { Link } from '../common/location.tsx'
import { mayManage, mayWrite } from '../common/roles.ts'
import { documentItem, folderItem, type Item } from '../documents/folders/dialogs.ts'
import { draggable } from '../documents/folders/dragging.ts'
import { useFolderDrop } from '../documents/folders/use-move.ts'
import { t } from '../i18n/translate.ts'
import { Menu } from '../ui/menus/menu.tsx'
import type { TreeRow } from './tree-rows.ts'

const FolderMenuItems = lazyPart(
  async () => (await import('../documents/folders/folder-menu-items.tsx')).FolderMenuItems,
)

type TreeItemProps = {
  row: TreeRow
  me: Me
  isCurrent: boolean
  isTabStop: boolean
  /** The target of the row's link; undefined if it has none. */
  path: string | undefined
  onToggle: () => void
  onGo: (() => void) | undefined
}

export function TreeItem(props: TreeItemProps) {
  const { row } = props
  switch (row.kind) {
    case 'folder':
      return <FolderRow {...props} row={row} />
    case 'document':
      return (
        <Row
          {...props}
          name={row.document.title || t('Untitled')}
          icon={FileText}
          item={movable(row.document, documentItem)}
        />
      )
    case 'more':
      return <Row {...props} name={t('All of {name}', { name: row.folder.name })} text={t('All documents…')} />
    case 'empty':
      return <Row {...props} name={t('Empty')} />
  }
}

function FolderRow(props: TreeItemProps & { row: TreeRow & { kind: 'folder' } }) {
  const { row, me, onToggle } = props
  const { isOver, target } = useFolderDrop(row.folder)
  return (
    <Row
      {...props}
      name={row.folder.name}
      icon={row.isOpen ? FolderOpen : Folder}
      item={movable(row.folder, folderItem)}
      isTarget={isOver}
      target={target}
      chevron={
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={onToggle}
          className="relative z-10 inline-flex size-5 shrink-0 items-center justify-center rounded hover:bg-line pointer-coarse:size-10"
        >
          <ChevronRight
            size={14}
            className={`transition-transform motion-reduce:transition-none ${row.isOpen ? 'rotate-90' : 'rtl:rotate-180'}`}
          />
        </button>
      }
      menu={mayWrite(row.folder) && <RowMenu row={row} me={me} />}
    />
  )
}

/** The item for dragging, if the user may move it. */
function movable<T extends Pick<DocumentSummary, 'access'>>(thing: T, itemOf: (thing: T) => Item): Item | undefined {
  return mayManage(thing) ? itemOf(thing) : undefined
}

type RowProps = TreeItemProps & {
  name: string
  /** The visible text if it differs from the name. */
  text?: string
  icon?: LucideIcon
  item?: Item | undefined
  isTarget?: boolean
  target?: object
  chevron?: ReactNode
  menu?: ReactNode
}

function Row({ row, isCurrent, isTabStop, path, onGo, ...look }: RowProps) {
  const { name, text = name, icon: Icon, item, isTarget, target, chevron, menu } = look
  const indent: CSSProperties = { paddingInlineStart: `${(row.level - 1) * 0.875 + 0.375}rem` }
  return (
    <li
      role="treeitem"
      data-key={row.key}
      aria-label={name}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-expanded={row.kind === 'folder' ? row.isOpen : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      style={indent}
      className={`group relative flex h-8 items-center gap-1 rounded-md pe-1 text-sm text-ink-soft outline-offset-[-2px] hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-strong pointer-coarse:h-10 ${isTarget ? 'bg-accent-soft outline-2 outline-accent' : ''}`}
      {...(item ? draggable(item) : {})}
      {...target}
    >
      {chevron ?? <span aria-hidden className="w-5 shrink-0 pointer-coarse:w-10" />}
      {Icon && <Icon size={15} aria-hidden className="me-1 shrink-0 opacity-80" />}
      {path === undefined ? (
        <span className="truncate text-ink-faint italic">{text}</span>
      ) : (
        <Link
          to={path}
          tabIndex={-1}
          draggable={false}
          onClick={onGo}
          dir="auto"
          className={`min-w-0 flex-1 truncate text-left after:absolute after:inset-0 ${menu ? 'group-focus-within:pe-6 group-hover:pe-6' : ''}`}
        >
          {text}
        </Link>
      )}
      {menu}
    </li>
  )
}

function RowMenu({ row, me }: { row: TreeRow & { kind: 'folder' }; me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const rowOf = () => button.current?.closest<HTMLElement>('[role="treeitem"]') ?? null
  return (
    <Menu
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        rowOf()?.focus()
      }}
      trigger={
        <button
          ref={button}
          type="button"
          tabIndex={-1}
          aria-label={t('Actions for {name}', { name: row.folder.name })}
          className="absolute end-1 z-10 inline-flex size-6 items-center justify-center rounded opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-line data-[state=open]:opacity-100 pointer-coarse:static pointer-coarse:size-10 pointer-coarse:opacity-100"
        >
          <Ellipsis size={16} aria-hidden />
        </button>
      }
    >
      <FolderMenuItems folder={row.folder} me={me} opener={rowOf} />
    </Menu>
  )
}
