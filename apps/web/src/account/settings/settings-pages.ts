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
  Wrench,
} from 'lucide-react'
import { type EnglishText, t } from '../../i18n/translate.ts'

type SettingsPage = readonly [path: string, text: EnglishText, Icon: LucideIcon]

const accountPages: readonly SettingsPage[] = [
  ['/account', 'Your account', UserRound],
  ['/sessions', 'Password and sessions', ShieldCheck],
  ['/keys', 'API keys', KeyRound],
]

const agentPages: readonly SettingsPage[] = [
  ['/agents', 'Agents', Sparkles],
  ['/models', 'Models', Cpu],
  ['/agent-settings', 'Agent settings', SlidersHorizontal],
  ['/tool-servers', 'Tool servers', Wrench],
  ['/usage', 'Usage', ChartColumn],
]

const operatorPages: readonly SettingsPage[] = [
  ['/people', 'People', Users],
  ['/ownerless', 'Documents without owner', FileQuestionMark],
  ['/storage', 'Storage', HardDrive],
  ['/webhooks', 'Webhooks', Webhook],
  ['/audit', 'Audit log', ScrollText],
]

/** The pages of the settings that a user may open, by section, in the order of the navigation. */
export function settingsPages(me: Me): { title: string; pages: readonly SettingsPage[] }[] {
  const own = { title: t('Account'), pages: accountPages }
  const agents = { title: t('Agents and models'), pages: agentPages }
  if (me.auth === 'open') return me.agent.mayConfigure ? [agents] : []
  return me.operator === true ? [own, agents, { title: t('Administration'), pages: operatorPages }] : [own]
}
