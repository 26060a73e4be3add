import type { Me } from '@copydesk/protocol'
import {
  ChartColumn,
  Cpu,
  FileQuestionMark,
  HardDrive,
  KeyRound,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
  Sparkles,
  SlidersHorizontal,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react'
import { type EnglishText, t } from '../i18n/translate.ts'

type SettingsPage = readonly [path: string, text: EnglishText, Icon: LucideIcon]

const accountPages: readonly SettingsPage[] = [
  ['/account', 'Your account', UserRound],
  ['/sessions', 'Password and sessions', ShieldCheck],
  ['/keys', 'API keys', KeyRound],
]

const modelsPage: SettingsPage = ['/models', 'Models', Cpu]

const operatorPages: readonly SettingsPage[] = [
  ['/people', 'People', Users],
  ['/ownerless', 'Documents without owner', FileQuestionMark],
  ['/agents', 'Agents', Sparkles],
  modelsPage,
  ['/agent-settings', 'Agent settings', SlidersHorizontal],
  ['/storage', 'Storage', HardDrive],
  ['/usage', 'Usage', ChartColumn],
  ['/webhooks', 'Webhooks', Webhook],
  ['/audit', 'Audit log', ScrollText],
]

/** The pages of the settings that a user may open, by section, in the order of the navigation. */
export function settingsPages(me: Me): { title: string; pages: readonly SettingsPage[] }[] {
  const own = { title: t('Account'), pages: accountPages }
  const administration = (pages: readonly SettingsPage[]) => ({ title: t('Administration'), pages })
  if (me.auth === 'open') return me.agent.mayConfigure ? [administration([modelsPage])] : []
  return me.operator === true ? [own, administration(operatorPages)] : [own]
}
