import type { Editor } from '@tiptap/core'
import { Check } from 'lucide-react'
import { t } from '../../i18n/translate.ts'
import { MenuItem } from '../../ui/menu.tsx'
import { blockKinds } from './turn-into.ts'

/** The kinds of blocks as items of a menu; the one at the caret has a tick. */
export function KindItems({ editor }: { editor: Editor }) {
  return blockKinds.map(({ label, icon: Icon, isActive, apply }) => (
    <MenuItem key={label} icon={<Icon size={16} />} onSelect={() => apply(editor)}>
      <span className="flex-1">{t(label)}</span>
      {isActive(editor) && (
        <>
          <Check size={15} aria-hidden />
          <span className="sr-only">{t('(now)')}</span>
        </>
      )}
    </MenuItem>
  ))
}
