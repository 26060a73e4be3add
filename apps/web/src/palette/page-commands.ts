import type { Me } from '@copydesk/protocol'
import { FilePlus2, Files, Keyboard, Moon, Sun } from 'lucide-react'
import { settingsPages } from '../account/settings/settings-pages.ts'
import { pressShortcut, shownKeys } from '../common/commands/shortcut-keys.ts'
import { useCreateDocument } from '../documents/data/use-documents.ts'
import { navigate, readRoute } from '../common/location.tsx'
import type { PaletteEntry } from '../common/commands/palette-offers.ts'
import { t } from '../i18n/translate.ts'
import { useTheme } from '../ui/theme.tsx'

/** The commands of a page, `own`, and after them those that every page has. */
export function usePageCommands(me: Me, own: readonly PaletteEntry[]): PaletteEntry[] {
  const labels = new Set(own.map(({ label }) => label))
  return [...own, ...useCommonCommands(me).filter(({ label }) => !labels.has(label))]
}

function useCommonCommands(me: Me): PaletteEntry[] {
  const create = useCreateDocument()
  const [theme, toggleTheme] = useTheme()
  const isDark = theme === 'dark'
  const commands: (PaletteEntry | false)[] = [
    !me.guest && {
      id: 'new',
      label: t('New document'),
      icon: FilePlus2,
      words: ['create'],
      run: () => create.mutate(),
    },
    readRoute(location.pathname).page !== 'documents' && {
      id: 'list',
      label: t('All documents'),
      icon: Files,
      words: ['home list'],
      run: () => navigate('/'),
    },
    {
      id: 'theme',
      label: isDark ? t('Light theme') : t('Dark theme'),
      icon: isDark ? Sun : Moon,
      words: ['dark light colours'],
      run: toggleTheme,
    },
    {
      id: 'shortcuts',
      label: t('Keyboard shortcuts'),
      icon: Keyboard,
      keys: shownKeys.help,
      words: ['help keys'],
      run: () => pressShortcut(document.body, shownKeys.help),
    },
    ...settingsCommands(me),
  ]
  return commands.filter((command) => command !== false)
}

/** A command for each page of the settings that the user may open. */
function settingsCommands(me: Me): PaletteEntry[] {
  if (me.guest) return []
  return settingsPages(me).flatMap(({ pages }) =>
    pages.map(([path, text, Icon]) => ({
      id: path,
      label: t(text),
      icon: Icon,
      words: ['settings administration account'],
      run: () => navigate(path),
    })),
  )
}
