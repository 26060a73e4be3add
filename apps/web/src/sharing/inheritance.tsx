import type { Access, Folder, Inherits } from '@copydesk/protocol'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { documentKey, useDocumentSummary } from '../api/documents.ts'
import { foldersKey, patchFolder, useFolders } from '../api/folders.ts'
import { putSharing } from '../api/sharing.ts'
import { tRich } from '../i18n/rich-text.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { Select } from '../ui/fields/select.tsx'
import { showError } from '../ui/toasts/toasts.tsx'

const options: readonly { value: Inherits; name: EnglishText }[] = [
  { value: 'owner', name: 'Same roles as there' },
  { value: 'editor', name: 'At most Editor' },
  { value: 'commenter', name: 'At most Commenter' },
  { value: 'viewer', name: 'At most Viewer' },
  { value: 'none', name: 'No access' },
]

/** The inherited roles of a document's folder; renders nothing for a document in no folder. */
export function DocumentInheritance({ document, access }: { document: string; access: Access }) {
  const { data: summary } = useDocumentSummary(document)
  return (
    <Inheritance
      around={summary?.folder ?? null}
      inherits={summary?.inherits}
      mayChange={access === 'manage'}
      save={(inherits) => putSharing(document, { inherits })}
    />
  )
}

/** The inherited roles of a folder's parent folder; renders nothing for a top-level folder. */
export function FolderInheritance({ folder: { id, parent, inherits, access } }: { folder: Folder }) {
  return (
    <Inheritance
      around={parent}
      inherits={inherits}
      mayChange={access === 'manage'}
      save={(chosen) => patchFolder(id, { inherits: chosen })}
    />
  )
}

type InheritanceProps = {
  /** The id of the parent folder. */
  around: string | null
  inherits: Inherits | undefined
  mayChange: boolean
  save: (inherits: Inherits) => Promise<unknown>
}

function Inheritance({ around, inherits, mayChange, save }: InheritanceProps) {
  const { data: folders } = useFolders()
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: save,
    onError: showError,
    onSettled: () =>
      Promise.all(
        [documentKey(), foldersKey, ['sharing']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
  const folder = folders?.find(({ id }) => id === around)
  if (!folder || inherits === undefined) return null
  // Shows the choice until the server has responded.
  const value = change.isPending ? change.variables : inherits
  const shownName = options.find((each) => each.value === value)?.name
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <p className="min-w-0 flex-1">
        <span className="font-medium">{tRich('People of the folder <bdi>“{name}”</bdi>', { name: folder.name })}</span>
        <span className="block text-xs text-ink-soft">{t('What they may do here. Roles given here stay.')}</span>
      </p>
      {mayChange ? (
        <Select
          label={t('People of the folder “{name}”', { name: folder.name })}
          value={value}
          options={options.map((each) => ({ ...each, name: t(each.name) }))}
          onChange={(chosen) => change.mutate(chosen)}
        />
      ) : (
        <span className="shrink-0 px-2.5 text-ink-soft">{shownName && t(shownName)}</span>
      )}
    </div>
  )
}
