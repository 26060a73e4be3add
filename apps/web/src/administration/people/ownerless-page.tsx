import type { Me, OwnerlessList, AccountPerson } from '@copydesk/protocol'
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState, type RefObject } from 'react'
import { relativeTime } from '../../common/relative-time.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { ownerlessQuery, peopleQuery, handOver } from '../../api/caller/account.ts'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/fields/form.tsx'
import { SelectField } from '../../ui/fields/select.tsx'
import { showToast } from '../../ui/toasts/toasts.tsx'

type Item = OwnerlessList['documents' | 'folders'][number]
type HandOver = (item: Ownerless, opener: HTMLElement) => void

const about: EnglishText =
  'Their owners can’t sign in any more. Give each document to a person; you see its text only if you take it yourself.'
const aboutFolders: EnglishText = 'Who gets a folder becomes an owner of all that it holds.'

/** For operators: documents and folders without an owner, to be handed over. */
export function OwnerlessPage({ me }: { me: Me }) {
  const list = useRef<HTMLDivElement>(null)
  const [handingOver, setHandingOver] = useState<{ item: Ownerless; opener: HTMLElement }>()
  const ownerless = useQuery(ownerlessQuery)
  const { data } = ownerless
  const count = data ? data.documents.length + data.folders.length : 0
  // Preloads the people for the hand-over dialog.
  useQuery({ ...peopleQuery, enabled: count > 0 })
  const handOver: HandOver = (item, opener) => setHandingOver({ item, opener })
  return (
    <PageFrame title={t('Documents without owner')}>
      <div
        ref={list}
        tabIndex={-1}
        role="group"
        aria-label={t('Documents without owner')}
        className="flex flex-col gap-6 rounded-md"
      >
        <Section title={t('To hand over')} text={data?.documents.length === 0 ? undefined : t(about)}>
          <Loaded query={ownerless}>
            {({ documents }) => <Documents documents={documents} onHandOver={handOver} />}
          </Loaded>
        </Section>
        {data && data.folders.length > 0 && (
          <Section title={t('Folders')} text={t(aboutFolders)}>
            <Rows rows={data.folders}>
              {(folder) => <Row key={folder.id} {...folder} title={folder.name} kind="folder" onHandOver={handOver} />}
            </Rows>
          </Section>
        )}
      </div>
      {handingOver && (
        <HandOverDialog
          key={handingOver.item.id}
          item={handingOver.item}
          self={me.user.id}
          opener={handingOver.opener}
          rest={list}
          onClose={() => setHandingOver(undefined)}
        />
      )}
    </PageFrame>
  )
}

function Documents({ documents, onHandOver }: { documents: OwnerlessList['documents']; onHandOver: HandOver }) {
  const [now] = useState(() => new Date())
  return (
    <Rows rows={documents} empty={t('Every document has an owner.')}>
      {(document) => (
        <Row key={document.id} {...document} kind="document" onHandOver={onHandOver}>
          {tRich('Changed <time>{when}</time>', {
            when: relativeTime(document.updatedAt, now),
            time: (when) => (
              <time dateTime={document.updatedAt} title={formatDate(document.updatedAt, dateAndTime)}>
                {when}
              </time>
            ),
          })}
          {document.owners.length > 0 && ' · '}
        </Row>
      )}
    </Rows>
  )
}

type RowProps = Ownerless & Pick<Item, 'owners' | 'trashed'> & { onHandOver: HandOver; children?: ReactNode }

function Row({ kind, id, title, owners, trashed, onHandOver, children }: RowProps) {
  const name = title || t('Untitled')
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="line-clamp-2 font-medium break-words">
          {name}
        </p>
        <p className="text-sm text-ink-faint">
          {children}
          <Owners owners={owners} />
          {trashed && ` · ${t('in the trash')}`}
        </p>
      </div>
      <Button
        aria-label={t('Hand over {title}', { title: name })}
        onClick={(event) => onHandOver({ kind, id, title }, event.currentTarget)}
      >
        {t('Hand over')}
      </Button>
    </li>
  )
}

function Owners({ owners }: Pick<Item, 'owners'>) {
  if (owners.length === 0) return null
  return tRich('belonged to <owners></owners>', {
    owners: () =>
      owners.map(({ id, name, closed }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <bdi>{name}</bdi> ({t(closed ? 'account closed' : 'without an account')})
        </span>
      )),
  })
}

/** A document or folder to be handed over. */
type Ownerless = { kind: 'document' | 'folder'; id: string; title: string }

type HandOverDialogProps = {
  item: Ownerless
  self: string
  opener: HTMLElement
  /** Gets the focus when the item, and with it the opener, is removed from the list. */
  rest: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Asks for the new owner of a document or folder, and hands it over. */
function HandOverDialog({ item, self, opener, rest, onClose }: HandOverDialogProps) {
  const queryClient = useQueryClient()
  const [isDone, setIsDone] = useState(false)
  const [chosen, setChosen] = useState<string>(nobody)
  const people = useQuery(peopleQuery)
  const title = item.title || t('Untitled')
  const isLeft = (each: { id: string }) => each.id !== item.id
  const give = useMutation({
    mutationFn: () => handOver(item.kind, item.id, chosen),
    onSuccess() {
      const name = people.data?.find(({ user }) => user.id === chosen)?.user.name ?? ''
      showToast(
        chosen === self
          ? t('“{title}” belongs to you now.', { title })
          : t('“{title}” belongs to {name} now.', { title, name }),
      )
      setIsDone(true)
      queryClient.setQueryData(
        ownerlessQuery.queryKey,
        (all) => all && { documents: all.documents.filter(isLeft), folders: all.folders.filter(isLeft) },
      )
    },
    onSettled: () => queryClient.invalidateQueries(ownerlessQuery),
  })
  return (
    <Dialog
      title={t('Hand over “{title}”', { title })}
      open={!isDone}
      onClose={onClose}
      returnFocusTo={isDone ? rest.current : opener}
    >
      <Loaded query={people}>
        {(all) => (
          <Form frame="dialog" save={t('Hand over')} saving={give} canSave={chosen !== nobody} onCancel={onClose}>
            <SelectField label={t('New owner')} value={chosen} options={ownersOf(all, self)} onChange={setChosen} />
            <p className="text-sm text-ink-soft">
              {item.kind === 'folder'
                ? t('An owner can edit, share and delete it and what it holds.')
                : t('An owner can edit, share and delete it.')}
            </p>
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

const nobody = ''

/** The people who can sign in, in words by their ids. */
function ownersOf(people: readonly AccountPerson[], self: string): Record<string, string> {
  const options: Record<string, string> = { [nobody]: t('Choose a person') }
  for (const { user, email, active } of people) {
    const name = user.id === self ? t('{name} (you)', { name: user.name }) : user.name
    if (active) options[user.id] = email === null ? name : `${name}, ${email}`
  }
  return options
}
