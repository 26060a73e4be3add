import { Moon, Sun } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { writeStored, readStored } from '../common/local-storage.ts'
import { createStore } from '../common/store.ts'
import { t } from '../i18n/translate.ts'
import { IconButton } from './button.tsx'

/** The colour themes of the app. */
type Theme = 'light' | 'dark'

const storageKey = 'copydesk theme'
const current = createStore<Theme>('light')

/**
 * Adopts the theme that `public/theme.js` set before the first paint, and follows the system's until the user chooses
 * one.
 */
export function startTheme(): void {
  current.set(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    if (readStored(storageKey) === null) apply(event.matches ? 'dark' : 'light')
  })
}

/** The label of the other theme, and the function that switches to it for this browser. */
export function useOtherTheme() {
  const isDark = useSyncExternalStore(current.subscribe, current.get) === 'dark'
  const look = { label: t(isDark ? 'Light theme' : 'Dark theme'), icon: isDark ? Sun : Moon }
  return [look, () => choose(isDark ? 'light' : 'dark')] as const
}

function choose(theme: Theme): void {
  writeStored(storageKey, theme)
  apply(theme)
}

function apply(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  current.set(theme)
}

/** The button that switches between light and dark. */
export function ThemeToggle() {
  const [look, toggle] = useOtherTheme()
  return <IconButton {...look} size={18} onClick={toggle} />
}
