import type { Me } from '@copydesk/protocol'
import { type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../../common/lazy-part.ts'
import { navigate } from '../../common/location.tsx'
import { t } from '../../i18n/translate.ts'
import { listPath } from '../data/list-address.ts'
import { useDeleteDocument, useEmptyTrash, useRenameDocument } from '../data/use-documents.ts'
import { type Item, type LibraryDialog, libraryDialog } from './dialogs.ts'
import { MoveDialog } from './move-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { useCreateFolder, usePatchFolder, useTrashFolder } from './use-folder-mutations.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const FolderShareDialog = lazyPart(async () => (await import('./folder-share-dialog.tsx')).FolderShareDialog)

type OpenProps<Kind extends LibraryDialog['kind'] = LibraryDialog['kind']> = {
  dialog: LibraryDialog & { kind: Kind }
  opener: HTMLElement | null
  onClose: () => void
}

const close = () => libraryDialog.set(null)

/** The dialog that `openDialog` has opened. */
export function LibraryDialogs({ me }: { me: Me }) {
  const shown = useSyncExternalStore(libraryDialog.subscribe, libraryDialog.get)
  if (!shown) return null
  const { dialog, opener } = shown
  const frame = { opener, onClose: close }
  switch (dialog.kind) {
    case 'new-folder':
      return <NewFolder {...frame} dialog={dialog} />
    case 'rename':
      return <Rename {...frame} item={dialog.item} />
    case 'move':
      return <MoveDialog {...frame} item={dialog.item} target={dialog.target} />
    case 'share-folder':
      return (
        <Suspense fallback={null}>
          <FolderShareDialog {...frame} folder={dialog.folder} self={me.user.id} />
        </Suspense>
      )
    case 'trash-folder':
      return <TrashFolder {...frame} dialog={dialog} />
    case 'delete-document':
      return <DeleteDocument {...frame} dialog={dialog} />
    case 'empty-trash':
      return <EmptyTrash {...frame} dialog={dialog} />
  }
}

function NewFolder({ dialog: { parent }, ...frame }: OpenProps<'new-folder'>) {
  const create = useCreateFolder()
  const submit = (name: string) =>
    create.mutate(
      { name, parent: parent?.id ?? null },
      {
        onSuccess: ({ id }) => {
          close()
          navigate(listPath({ folder: id }))
        },
      },
    )
  return (
    <NameDialog
      {...frame}
      title={parent ? t('New folder in “{name}”', { name: parent.name }) : t('New folder')}
      label={t('Name')}
      action={t('Create')}
      name=""
      maxLength={120}
      request={create}
      onSubmit={submit}
    />
  )
}

function Rename({ item, ...frame }: Omit<OpenProps, 'dialog'> & { item: Item }) {
  const document = useRenameDocument()
  const folder = usePatchFolder()
  const isDocument = item.kind === 'document'
  const submit = (name: string) => {
    if (isDocument) document.mutate({ id: item.id, title: name }, { onSuccess: close })
    else folder.mutate({ id: item.id, name }, { onSuccess: close })
  }
  return (
    <NameDialog
      {...frame}
      title={isDocument ? t('Rename document') : t('Rename folder')}
      label={isDocument ? t('Title') : t('Name')}
      action={t('Rename')}
      name={item.name}
      maxLength={isDocument ? 300 : 120}
      request={isDocument ? document : folder}
      onSubmit={submit}
    />
  )
}

function TrashFolder({ dialog: { folder }, ...frame }: OpenProps<'trash-folder'>) {
  const trash = useTrashFolder()
  return (
    <ConfirmDialog
      {...frame}
      title={t('Move “{name}” to the trash?', { name: folder.name })}
      action={t('Move to trash')}
      request={trash}
      onConfirm={() => trash.mutate(folder, { onSuccess: close })}
    >
      {t('The folders and documents in it that you own go with it. What others own stays, outside of the folder.')}
    </ConfirmDialog>
  )
}

function DeleteDocument({ dialog: { document }, ...frame }: OpenProps<'delete-document'>) {
  const remove = useDeleteDocument()
  return (
    <ConfirmDialog
      {...frame}
      title={t('Delete “{title}” for good?', { title: document.title || t('Untitled') })}
      action={t('Delete for good')}
      request={remove}
      onConfirm={() => remove.mutate(document.id, { onSuccess: close })}
    >
      {t('Its text, history, comments and images are deleted for everyone. This can’t be undone.')}
    </ConfirmDialog>
  )
}

function EmptyTrash(frame: OpenProps<'empty-trash'>) {
  const empty = useEmptyTrash()
  return (
    <ConfirmDialog
      {...frame}
      title={t('Empty the trash?')}
      action={t('Delete all for good')}
      request={empty}
      onConfirm={() => empty.mutate(undefined, { onSuccess: close })}
    >
      {t(
        'All documents in the trash that you own are deleted for everyone, with their history, comments and images. This can’t be undone.',
      )}
    </ConfirmDialog>
  )
}

type ConfirmDialogProps = {
  title: string
  action: string
  request: { isPending: boolean }
  opener: HTMLElement | null
  onConfirm: () => void
  onClose: () => void
  /** What happens. */
  children: ReactNode
}

/** Asks before something that can't be undone, or not easily. */
function ConfirmDialog({ title, action, request, opener, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} open onOpenChange={(open) => !open && onClose()} returnFocusTo={opener}>
      <p className="text-sm text-ink-soft">{children}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="danger" disabled={request.isPending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
