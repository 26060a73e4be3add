import type { DocumentSummary, Role } from '@copydesk/protocol'
import { t } from '../i18n/translate.ts'

/** Whether a user in this role may change the document. */
export function mayEdit(role: Role | undefined): boolean {
  return role === 'owner' || role === 'editor'
}

/** Whether a user may write to a document, or create documents and folders in a folder; false while it is unknown. */
export function mayWrite(item: Pick<DocumentSummary, 'access'> | undefined): boolean {
  return item?.access === 'write' || item?.access === 'manage'
}

/** Whether a user may share, move and delete a document or folder. */
export function mayManage({ access }: Pick<DocumentSummary, 'access'>): boolean {
  return access === 'manage'
}

/** Why a role doesn't permit an action, as a sentence shown in place of the control; undefined if it does. */
export function missingRight(role: Role | undefined, action: 'edit' | 'comment' | 'ask'): string | undefined {
  if (role === undefined || mayEdit(role)) return undefined
  const commenter = role === 'commenter'
  switch (action) {
    case 'edit':
      return commenter
        ? t('You can read this document, comment on it and make suggestions, but not edit it.')
        : t('You can read this document but not edit it.')
    case 'comment':
      return commenter
        ? undefined
        : t('You can read the comments but not add to them. The document’s owner can change that.')
    case 'ask':
      return commenter
        ? undefined
        : t('You can read along but not write to the agent. The document’s owner can change that.')
  }
}
