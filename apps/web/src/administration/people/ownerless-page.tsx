import type { Me, OwnerlessList } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { relativeTime } from '../../common/relative-time.ts'
import { dateAndTime, formatDate } from '../../i18n/format.ts'
import { tRich } from '../../i18n/rich-text.ts'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Rows } from '../../ui/loaded.tsx'
import { ownerlessQuery, peopleQuery } from '../../api/caller/account.ts'
import { HandOverDialog, type Ownerless } from './hand-over-dialog.tsx'
import { PageFrame, Section } from '../../account/settings/page-frame.tsx'

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
