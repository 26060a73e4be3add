import { Ellipsis } from 'lucide-react'
import { lazyPart } from '../../common/lazy-part.ts'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { t } from '../../i18n/translate.ts'
import { iconButtonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

const DocumentMenuItems = lazyPart(async () => (await import('./document-menu-items.tsx')).DocumentMenuItems)

/** Actions on the document as a whole, the palette among them: a touch screen has no keys for it. */
export function DocumentMenu({ connection }: { connection: DocumentConnection }) {
  return (
    <Menu
      trigger={
        <button type="button" aria-label={t('Document menu')} className={iconButtonClass}>
          <Ellipsis size={18} aria-hidden />
        </button>
      }
    >
      <DocumentMenuItems connection={connection} />
    </Menu>
  )
}
