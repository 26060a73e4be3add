import type { ListedDocument, Me } from '@copydesk/protocol'
import { Star } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { ActionMenu } from '../../ui/menus/action-menu.tsx'
import { DocumentMenuItems } from './document-menu-items.tsx'
import { useStarDocument } from '../data/use-documents.ts'

/** What a user may do with a document in the list. */
export function RowActions({ document, me }: { document: ListedDocument; me: Me }) {
  const button = useRef<HTMLButtonElement>(null)
  const name = document.title || t('Untitled')
  return (
    <>
      {document.starred && <Star size={16} aria-hidden fill="currentColor" className="shrink-0 text-star sm:hidden" />}
      <StarButton document={document} />
      <ActionMenu label={t('Actions for {name}', { name })} button={button}>
        <DocumentMenuItems document={document} me={me} opener={() => button.current} />
      </ActionMenu>
    </>
  )
}

function StarButton({ document: { id, title, starred } }: { document: ListedDocument }) {
  const star = useStarDocument()
  return (
    <button
      type="button"
      aria-label={t('Star {title}', { title: title || t('Untitled') })}
      aria-pressed={starred}
      data-tooltip={starred ? t('Remove star') : t('Star')}
      onClick={() => star.mutate({ id, starred: !starred })}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-ink-faint transition-colors hover:bg-hover hover:text-ink aria-pressed:text-star max-sm:hidden pointer-coarse:size-10 [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100 [@media(hover:hover)]:aria-pressed:opacity-100"
    >
      <Star size={17} aria-hidden fill={starred ? 'currentColor' : 'none'} />
    </button>
  )
}
