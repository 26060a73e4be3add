import type { Me } from '@copydesk/protocol'
import { useSyncExternalStore } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import { navigate } from '../../common/location.tsx'
import { t } from '../../i18n/translate.ts'
import { listPath } from '../data/list-address.ts'
import { useDeleteDocument, useEmptyTrash, useRenameDocument } from '../data/use-documents.ts'
import { type Item, type LibraryDialog, libraryDialog } from './dialogs.ts'
import { MoveDialog } from './move-dialog.tsx'
import { useCreateFolder, usePatchFolder, useTrashFolder } from './use-folder-mutations.ts'
import { Question } from '../../ui/question.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'

const FolderShareDialog = separatePart(async () => (await import('./folder-share-dialog.tsx')).FolderShareDialog)

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
      return <FolderShareDialog {...frame} folder={dialog.folder} self={me.user.id} />
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

function TrashFolder({ dialog: { folder }, opener }: OpenProps<'trash-folder'>) {
  const trash = useTrashFolder()
  return (
    <Question
      returnFocusTo={opener}
      onClose={close}
      title={t('Move “{name}” to the trash?', { name: folder.name })}
      action={t('Move to trash')}
      isPending={trash.isPending}
      onConfirm={() => trash.mutate(folder, { onSuccess: close })}
    >
      {t('The folders and documents in it that you own go with it. What others own stays, outside of the folder.')}
    </Question>
  )
}

function DeleteDocument({ dialog: { document }, opener }: OpenProps<'delete-document'>) {
  const remove = useDeleteDocument()
  return (
    <Question
      returnFocusTo={opener}
      onClose={close}
      title={t('Delete “{title}” for good?', { title: document.title || t('Untitled') })}
      action={t('Delete for good')}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(document.id, { onSuccess: close })}
    >
      {t('Its text, history, comments and images are deleted for everyone. This can’t be undone.')}
    </Question>
  )
}

function EmptyTrash({ opener }: OpenProps<'empty-trash'>) {
  const empty = useEmptyTrash()
  return (
    <Question
      returnFocusTo={opener}
      onClose={close}
      title={t('Empty the trash?')}
      action={t('Delete all for good')}
      isPending={empty.isPending}
      onConfirm={() => empty.mutate(undefined, { onSuccess: close })}
    >
      {t(
        'All documents in the trash that you own are deleted for everyone, with their history, comments and images. This can’t be undone.',
      )}
    </Question>
  )
}
