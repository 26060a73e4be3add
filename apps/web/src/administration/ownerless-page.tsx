import type { Me, OwnerlessList } from '@copydesk/protocol'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { describeError } from '../api/client.ts'
import { relativeTime } from '../common/relative-time.ts'
import { dateAndTime, formatDate } from '../i18n/format.ts'
import { tRich } from '../i18n/rich-text.ts'
import { type EnglishText, t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import { fetchOwnerless, fetchPeople } from '../api/account.ts'
import { HandOverDialog, ownerlessKey } from './hand-over-dialog.tsx'
import { ListState, PageFrame, Section } from '../account/page-frame.tsx'
import { peopleKey } from './people-section.tsx'

type Ownerless = OwnerlessList['documents'][number]
type HandingOver = { document: Ownerless; opener: HTMLElement }

const about: EnglishText =
  'Their owners can’t sign in any more. Give each document to a person; you see its text only if you take it yourself.'

/** For operators: documents without an owner, to be handed over. */
export function OwnerlessPage({ me }: { me: Me }) {
  const list = useRef<HTMLDivElement>(null)
  const [handingOver, setHandingOver] = useState<HandingOver>()
  const { data: documents, error } = useQuery({
    queryKey: ownerlessKey,
    queryFn: ({ signal }) => fetchOwnerless(signal),
  })
  // Preloads the people for the hand-over dialog.
  useQuery({ queryKey: peopleKey, queryFn: ({ signal }) => fetchPeople(signal), enabled: (documents ?? []).length > 0 })
  return (
    <PageFrame title={t('Documents without owner')}>
      <Section title={t('To hand over')} text={documents?.length === 0 ? undefined : t(about)}>
        <div ref={list} tabIndex={-1} role="group" aria-label={t('Documents without owner')} className="rounded-md">
          {documents ? (
            <Documents documents={documents} onHandOver={(document, opener) => setHandingOver({ document, opener })} />
          ) : (
            <ListState error={error ? describeError(error) : undefined} />
          )}
        </div>
      </Section>
      {handingOver && (
        <HandOverDialog
          key={handingOver.document.id}
          document={handingOver.document}
          self={me.user.id}
          opener={handingOver.opener}
          rest={list}
          onClose={() => setHandingOver(undefined)}
        />
      )}
    </PageFrame>
  )
}

type DocumentsProps = {
  documents: readonly Ownerless[]
  onHandOver: (document: Ownerless, opener: HTMLElement) => void
}

function Documents({ documents, onHandOver }: DocumentsProps) {
  const [now] = useState(() => new Date())
  if (documents.length === 0) return <p className="text-sm text-ink-faint">{t('Every document has an owner.')}</p>
  return (
    <ul className="-my-2 divide-y divide-line">
      {documents.map((document) => (
        <li key={document.id} className="flex min-h-16 items-center gap-3 py-2">
          <div className="min-w-0 flex-1">
            <p dir="auto" className="line-clamp-2 font-medium break-words">
              {document.title || t('Untitled')}
            </p>
            <p className="text-sm text-ink-faint">
              {tRich('Changed <time>{when}</time>', {
                when: relativeTime(document.updatedAt, now),
                time: (when) => (
                  <time dateTime={document.updatedAt} title={formatDate(document.updatedAt, dateAndTime)}>
                    {when}
                  </time>
                ),
              })}
              <Owners owners={document.owners} />
              {document.trashed && ` · ${t('in the trash')}`}
            </p>
          </div>
          <Button
            aria-label={t('Hand over {title}', { title: document.title || t('Untitled') })}
            onClick={(event) => onHandOver(document, event.currentTarget)}
          >
            {t('Hand over')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Owners({ owners }: Pick<Ownerless, 'owners'>) {
  if (owners.length === 0) return null
  return (
    <>
      {' · '}
      {tRich('belonged to <owners></owners>', {
        owners: () =>
          owners.map(({ id, name, closed }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <bdi>{name}</bdi> ({t(closed ? 'account closed' : 'without an account')})
            </span>
          )),
      })}
    </>
  )
}
