import type { AuditAction, AuditEntry } from '@copydesk/protocol'
import { dateAndTime, formatDate, formatList, formatNumber } from '../../i18n/format.ts'
import { type EnglishText, sentText, t } from '../../i18n/translate.ts'
import { eventNames } from '../webhooks/webhook-form.tsx'

type Words = Readonly<Record<string, EnglishText>>

const names: Words = {
  accept: 'Accepted',
  agent: 'One agent, a day',
  active: 'Active',
  changed: 'Changed',
  changes: 'Suggestions',
  confirmedEmail: 'Email address',
  cost: 'Cost',
  decision: 'Decision',
  documents: 'Documents',
  editorsShare: 'Editors may share',
  email: 'Email address',
  enabled: 'Switched on',
  events: 'Events',
  expiresAt: 'Expires',
  fields: 'Changed',
  format: 'Format',
  from: 'From',
  handle: 'Handle',
  host: 'Address',
  how: 'How',
  inherits: 'From the folder',
  inputPrice: 'Price of input',
  key: 'Key',
  kind: 'Kind',
  limits: 'Limits',
  members: 'People',
  mode: 'Mode',
  model: 'Model',
  name: 'Name',
  operator: 'Operator',
  outputPrice: 'Price of output',
  person: 'One person, a day',
  policy: 'Rule',
  role: 'Role',
  run: 'One run',
  scope: 'Access',
  server: 'This server, a day',
  service: 'Service',
  status: 'Result',
  to: 'Until',
  token: 'Token',
  tokens: 'Tokens',
  tool: 'Tool',
  trigger: 'Called by',
}

// By field name, because the same value has another meaning in other fields.
const values: Readonly<Record<string, Words>> = {
  trigger: {
    chat: 'Chat',
    mention: 'Mention',
    comment: 'Comment',
    api: 'Another program',
    schedule: 'Schedule',
    document: 'New document',
  },
  mode: { edit: 'Edit', suggest: 'Suggest', ask: 'Ask' },
  status: {
    completed: 'Done',
    failed: 'Failed',
    stopped: 'Stopped',
    limit_reached: 'Limit reached',
    awaiting_approval: 'Waits for approval',
  },
  decision: { approve: 'Approved', reject: 'Rejected' },
  policy: { allow: 'Allow', confirm: 'Ask each time', deny: 'Off' },
  scope: { read: 'Read', comment: 'Read, comment and suggest', write: 'Read and write' },
  role: { owner: 'Owner', editor: 'Editor', commenter: 'Commenter', viewer: 'Viewer' },
  how: {
    name: 'By name',
    oidc: 'Single sign-on',
    'password-changed': 'Password changed',
    'password-reset': 'Password reset',
    'account-closed': 'Account deactivated',
    requested: 'Requested at the sign-in',
    'confirmed as another’s': 'Another account confirmed the address',
  },
  key: { removed: 'Removed', replaced: 'Replaced' },
  token: { removed: 'Removed', given: 'Replaced' },
  kind: { edit: 'Changed', create: 'New file' },
  changes: { original: 'Left out', accepted: 'As if accepted' },
  events: eventNames,
}

/** The changed fields, by their names in a request. */
const fields: Words = {
  name: 'Name',
  email: 'Email address',
  password: 'Password',
  color: 'Color',
  language: 'Language',
  mails: 'Email notifications',
  instructions: 'Instructions',
  files: 'Favourite files',
  limits: 'Limits',
  'agent instructions': 'Instructions',
  'agent files': 'Favourite files',
  handle: 'Handle',
  enabled: 'Switched on',
  model: 'Model',
  tools: 'Tools',
  mode: 'Mode',
  description: 'Description',
  picture: 'Picture',
  dailyTokens: 'Tokens a day at most',
  maxRounds: 'Rounds of a run at most',
  folders: 'Folders',
  triggers: 'Triggers',
}

// Ids, which are useful only in an export.
const isName = new Set(['name', 'email', 'host'])
const ofExport = new Set(['call', 'run', 'thread', 'folder', 'parent', 'person', 'actor', 'document'])
// Their names if they are known.
const objects: Words = { folder: 'Folder', parent: 'Folder', person: 'Owner', key: 'Key' }

type Known = {
  action?: AuditAction
  /** The names of objects by their ids. */
  names?: Readonly<Record<string, string>> | undefined
  /** The entry's object, which isn't repeated. */
  object?: string | undefined
}

/**
 * An entry's details in the user's language, each with its name. They are untrusted: unknown values are shown
 * unchanged, and ids without a name are omitted.
 */
export function detailsInWords(details: AuditEntry['details'], known: Known = {}): string[] {
  return Object.entries(details ?? {}).flatMap(([name, value]) => {
    const object = wordOf(objects, name)
    const named = nameOf(value, known.names)
    if (object !== undefined && named !== undefined) return [`${t(object)}: ${named}`]
    if (
      value === null ||
      (isName.has(name) && value === known.object) ||
      (typeof value === 'string' && ofExport.has(name))
    )
      return []
    const words = inWords(name, value, known.names)
    // A webhook is switched on, an account active.
    const label = wordOf(names, name === 'active' && known.action?.startsWith('webhook-') ? 'enabled' : name)
    return words === '' ? [] : [`${label === undefined ? name : t(label)}: ${words}`]
  })
}

function nameOf(id: unknown, objectNames: Known['names'] = {}): string | undefined {
  return typeof id === 'string' && Object.hasOwn(objectNames, id) ? objectNames[id] : undefined
}

function inWords(name: string, value: unknown, objectNames?: Known['names']): string {
  if (typeof value === 'boolean') return t(value ? 'Yes' : 'No')
  if (typeof value === 'number') return formatNumber(value)
  if (value === null) return t('none|value')
  if (Array.isArray(value)) return formatList(value.map((each) => inWords(name, each, objectNames)))
  if (typeof value === 'object') return objectInWords(name, Object.entries(value as object), objectNames)
  if (typeof value !== 'string') return ''
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return formatDate(value, dateAndTime)
  const word = name === 'fields' || name === 'changed' ? wordOf(fields, value) : wordOf(values[name] ?? {}, value)
  return word === undefined ? (name === 'format' ? value.toUpperCase() : value) : t(word)
}

// A person with their role is `ana@example.org → Editor`; other objects are described by their fields.
function objectInWords(name: string, parts: readonly [string, unknown][], objectNames?: Known['names']): string {
  if (name === 'members')
    return parts
      .map(([part, value]) => (part === 'id' ? nameOf(value, objectNames) : undefined) ?? inWords('role', value))
      .join(' → ')
  return parts
    .map(([part, value]) => {
      const known = wordOf(names, part)
      return `${known === undefined ? (sentText(part) ?? part) : t(known)} ${inWords(part, value)}`
    })
    .join(', ')
}

function wordOf(words: Words, value: string): EnglishText | undefined {
  return Object.hasOwn(words, value) ? words[value] : undefined
}
