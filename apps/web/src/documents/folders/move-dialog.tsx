import type { AccessChange, Folder, MoveEffect, Role } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { Files, Folder as FolderIcon } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { describeError } from '../../api/client.ts'
import { fetchMoveEffect, useFolders } from '../../api/folders.ts'
import { useDebounced } from '../../common/use-debounced.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { type Choice, ChoiceField } from '../../ui/fields/choice-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import type { Item } from './dialogs.ts'
import { treeOf } from '../data/folder-tree.ts'
import { changesNothing, mayMoveTo, useMove } from './use-move.ts'

type MoveDialogProps = {
  item: Item
  /** The preselected folder, null for no folder; undefined lets the user choose. */
  target?: string | null | undefined
  opener: HTMLElement | null
  onClose: () => void
}

const none = 'none'

/** Asks for the target folder of a document or folder, and shows the people who get or lose access. */
export function MoveDialog({ item, target, opener, onClose }: MoveDialogProps) {
  const { data: folders } = useFolders()
  const [chosen, setChosen] = useState(target === undefined ? undefined : (target ?? none))
  const button = useRef<HTMLButtonElement>(null)
  const to = chosen === none ? null : folders?.find(({ id }) => id === chosen)
  const settled = useDebounced(chosen, 150)
  const { data: effect, error } = useQuery({
    queryKey: ['move', item.kind, item.id, settled],
    queryFn: ({ signal }) => fetchMoveEffect(item, settled === none ? null : (settled ?? null), signal),
    enabled: settled !== undefined,
    // Others may have changed a folder's people since the last display.
    gcTime: 0,
  })
  const shown = chosen !== undefined && settled === chosen && effect ? effect : undefined
  const move = useMove()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!shown || to === undefined || move.isPending) return
    // Enter in the field doesn't confirm an effect that has just appeared.
    if (!changesNothing(shown) && document.activeElement !== button.current) return button.current?.focus()
    move.mutate({ item, to, confirmed: !changesNothing(shown) }, { onSuccess: onClose })
  }
  return (
    <Dialog title={t('Move “{name}”', { name: item.name })} wide onClose={onClose} returnFocusTo={opener}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {target === undefined && <FolderChoice item={item} folders={folders} value={chosen} onValue={setChosen} />}
        <div aria-live="polite" className="min-h-6 text-sm text-ink-soft">
          {error && chosen !== undefined && <p className="text-danger">{describeError(error)}</p>}
          {!error && chosen !== undefined && !shown && (
            <p className="text-ink-faint">{t('Looking who gets access…')}</p>
          )}
          {shown && to !== undefined && <AccessChanges effect={shown} kind={item.kind} />}
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button ref={button} look="primary" type="submit" aria-disabled={!shown || move.isPending}>
            {to
              ? t('Move to “{name}”', { name: shorten(to.name) })
              : chosen === none
                ? t('Move out of the folder')
                : t('Move')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type FolderChoiceProps = {
  item: Item
  /** Undefined while they are being fetched: the field is already shown, because it gets the focus of the dialog. */
  folders: readonly Folder[] | undefined
  value: string | undefined
  onValue: (key: string) => void
}

function FolderChoice({ item, folders, value, onValue }: FolderChoiceProps) {
  const [text, setText] = useState('')
  const find = (words: string) => (folders ? choicesOf(folders, item, words.trim()) : [])
  return (
    <ChoiceField
      label={t('Folder to move to')}
      placeholder={t('Find a folder')}
      text={text}
      onText={(next) => {
        setText(next)
        const [first] = find(next)
        if (first) onValue(first.key)
      }}
      choices={find(text)}
      value={value}
      onValue={onValue}
      empty={!folders ? t('Loading…') : t(text === '' ? 'There is no other folder yet.' : 'No folder has this name.')}
    />
  )
}

/**
 * The folders to which the item may move, as a tree; their ancestors can't be chosen. With a search text only those
 * whose names contain it.
 */
function choicesOf(folders: readonly Folder[], item: Item, text: string): Choice[] {
  const tree = treeOf(folders)
  const wanted = text.toLocaleLowerCase()
  const icon = <FolderIcon size={15} aria-hidden className="shrink-0 opacity-80" />
  const within = (parent: string | null, level: number, path: string): Choice[] =>
    (tree.get(parent) ?? []).flatMap((folder) => {
      const { id: key, name } = folder
      const inner = within(key, level + 1, path === '' ? name : `${path} / ${name}`)
      const mayChoose = mayMoveTo(folders, item, folder)
      if (wanted !== '')
        return mayChoose && includes(name, wanted) ? [{ key, name, icon, note: path }, ...inner] : inner
      if (mayChoose) return [{ key, name, icon, level }, ...inner]
      const note = key === item.folder ? t('is here') : ''
      return note !== '' || inner.length > 0 ? [{ key, name, icon, level, note, disabled: true }, ...inner] : []
    })
  const outside = {
    key: none,
    name: t('No folder'),
    icon: <Files size={15} aria-hidden className="shrink-0 opacity-80" />,
  }
  const isOutsideShown = mayMoveTo(folders, item, null) && includes(outside.name, wanted)
  return [...(isOutsideShown ? [outside] : []), ...within(null, 0, '')]
}

function includes(name: string, wanted: string): boolean {
  return name.toLocaleLowerCase().includes(wanted)
}

function shorten(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name
}

type AccessChangesProps = { effect: MoveEffect; kind: 'document' | 'folder' }

const roles: Readonly<Record<Role, EnglishText>> = {
  owner: 'owner',
  editor: 'editor',
  commenter: 'commenter',
  viewer: 'viewer',
}

/** The people who get or lose access by a move, and those whose role changes. */
function AccessChanges({ effect, kind }: AccessChangesProps) {
  if (changesNothing(effect)) return <p>{t('Nobody gets or loses access.')}</p>
  const { people, count, addresses } = effect
  const got = kind === 'document' ? t('Get access to this document') : t('Get access to this folder and what is in it')
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3 text-ink">
      <Group title={got} people={people.filter(({ from }) => from === null)} />
      <Group title={t('Lose access')} people={people.filter(({ to }) => to === null)} isLoss />
      <Group title={t('Get another role')} people={people.filter(({ from, to }) => from !== null && to !== null)} />
      {count > people.length && (
        <p>{t('And {count, plural, one {# more person} other {# more people}}.', { count: count - people.length })}</p>
      )}
      {addresses > 0 && (
        <p>
          {t(
            '{count, plural, one {The access of an invited address without an account changes, too.} other {The access of # invited addresses without an account changes, too.}}',
            { count: addresses },
          )}
        </p>
      )}
    </div>
  )
}

type GroupProps = { title: string; people: readonly AccessChange[]; isLoss?: boolean }

function Group({ title, people, isLoss = false }: GroupProps) {
  if (people.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={`mb-1 font-medium ${isLoss ? 'text-danger' : ''}`}>{title}</h3>
      <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {people.map((person) => (
          <li key={person.id} className="flex items-center gap-2">
            <Avatar name={person.name} color={person.color} kind="person" size={22} />
            <bdi className="min-w-0 flex-1 truncate">{person.name}</bdi>
            <span className="shrink-0 text-xs text-ink-soft">{inWords(person)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function inWords({ from, to }: AccessChange): string {
  if (from === null) return to === null ? '' : t(roles[to])
  return to === null ? t('was {role}', { role: t(roles[from]) }) : `${t(roles[from])} → ${t(roles[to])}`
}
