import { X } from 'lucide-react'
import { Fragment, useState } from 'react'
import { returnFocus } from '../../common/commands/editor-commands.ts'
import { isMacLike, shortcutKeys } from '../../common/commands/shortcut-keys.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { DialogTitle, DialogWindow } from '../../ui/dialog.tsx'
import { type ShortcutGroup, shortcutGroups } from './shortcut-groups.ts'

/** All keyboard shortcuts in a dialog; closing it restores the focus. */
export function ShortcutsOverview({ onClose }: { onClose: () => void }) {
  const [before] = useState(() => document.activeElement)
  return (
    <DialogWindow
      onClose={onClose}
      takesFocus
      returnFocus={() => returnFocus(before)}
      className="pop fixed top-[8vh] left-1/2 z-50 max-h-[84vh] w-[min(50rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto rounded-xl border border-line bg-surface shadow-raised outline-none"
    >
      <div className="sticky top-0 flex items-center justify-between border-b border-line bg-surface py-2 ps-5 pe-2">
        <DialogTitle className="text-base font-semibold">{t('Keyboard shortcuts')}</DialogTitle>
        <IconButton label={t('Close')} onClick={onClose} icon={X} />
      </div>
      <div className="p-5 sm:columns-2 sm:gap-10">
        {shortcutGroups.map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </div>
    </DialogWindow>
  )
}

function Group({ group: { title, lines } }: { group: ShortcutGroup }) {
  return (
    <section className="mb-5 break-inside-avoid">
      <h3 className="mb-1 text-sm font-semibold">{t(title)}</h3>
      <dl className="text-sm">
        {lines.map(({ label, needs, keys }) => (
          <div key={label} className="flex items-center justify-between gap-4 border-b border-line/60 py-1">
            <dt className="text-ink-soft">{needs === undefined ? t(label) : `${t(label)} ${t(needs)}`}</dt>
            <dd className="flex shrink-0 items-center gap-1.5">
              {keys.map((shortcut, index) => (
                <Fragment key={shortcut}>
                  {index > 0 && <span className="text-xs text-ink-faint">{t('or')}</span>}
                  <Keys shortcut={shortcut} />
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Keys({ shortcut }: { shortcut: string }) {
  return (
    <span className="flex gap-0.5">
      {shortcutKeys(shortcut, isMacLike()).map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded border border-line bg-sunken px-1.5 py-0.5 text-center font-sans text-xs"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
