import { useEffect } from 'react'
import { Help } from './help.tsx'
import { keepApp } from './keep-app.ts'
import { useFocusFallback } from '../ui/use-focus-fallback.ts'
import { useFileDropGuard } from './use-file-drop-guard.ts'

/** What every page has and no page needs at first. `hasHelp`: whether the page leaves the keys for help to this. */
export function PageAids({ hasHelp }: { hasHelp: boolean }) {
  useFileDropGuard()
  useFocusFallback()
  useEffect(keepApp, [])
  return hasHelp && <Help />
}
