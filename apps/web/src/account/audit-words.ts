import type { AuditAction } from '@copydesk/protocol'

/** The actions of the audit log, in words. */
export const auditWords: Readonly<Record<AuditAction, string>> = {
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in refused',
  'sign-out': 'Signed out',
  'sign-out-everywhere': 'Signed out everywhere',
  'session-ended': 'Ended a session',
  'account-made': 'Made an account',
  'account-changed': 'Changed their account',
  'password-changed': 'Changed their password',
  'password-change-refused': 'Change of password refused',
  'password-reset': 'Set a new password by link',
  'provider-disconnected': 'Disconnected single sign-on',
  'key-made': 'Made a key',
  'key-revoked': 'Took a key away',
  'invitation-made': 'Invited somebody',
  'invitation-revoked': 'Took an invitation back',
  'reset-made': 'Made a link for a new password',
  'person-changed': 'Changed somebody’s account',
  'roles-changed': 'Changed roles',
  'sharing-changed': 'Changed who may share',
  'link-made': 'Made a share link',
  'link-revoked': 'Revoked a share link',
  'link-opened': 'Opened a share link',
  'document-taken': 'Gave a document an owner',
  'document-trashed': 'Moved a document to the trash',
  'document-restored': 'Brought a document back',
  'document-exported': 'Exported a document',
  'version-restored': 'Restored a version',
  'run-started': 'Run of the agent began',
  'run-ended': 'Run of the agent ended',
  'approval-decided': 'Decided on a held call',
  'audit-exported': 'Exported the audit log',
}

/** An entry's details in one line: names and values, all untrusted. */
export function detailsInWords(details: Readonly<Record<string, unknown>> | null): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.map(inWords).join(', ') : inWords(value)}`)
    .join(', ')
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  return Object.values(value)
    .map((each) => inWords(each ?? 'nothing'))
    .join(' → ')
}
