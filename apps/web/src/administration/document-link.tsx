import { documentPath, Link } from '../common/location.tsx'
import { t } from '../i18n/translate.ts'

type DocumentLinkProps = { id: string; titles: Readonly<Record<string, string>> }

/** A document by its title, or by the beginning of its id if it isn't shared with the operator. */
export function DocumentLink({ id, titles }: DocumentLinkProps) {
  const title = titles[id]
  if (title === undefined) {
    return (
      <span title={t('This document isn’t shared with you')} className="font-mono text-ink-soft">
        {id.slice(0, 8)}
      </span>
    )
  }
  return (
    <Link to={documentPath(id)} title={title} className="text-accent underline-offset-2 hover:underline">
      <bdi>{title || t('Untitled')}</bdi>
    </Link>
  )
}
