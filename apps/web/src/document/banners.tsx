import { schema } from '@copydesk/schema'
import { getText, getTextSerializersFromSchema } from '@tiptap/core'
import { X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { yXmlFragmentToProseMirrorRootNode } from 'y-prosemirror'
import type * as Y from 'yjs'
import type { ConnectionState, Refusal } from '../collaboration/connection-state.ts'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { splitView } from '../common/layout/page-layout.ts'
import { fullnessOf, nearlyFull } from '../editor/limits/keep-limits.ts'
import { formatDate, timeOfDay } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { copyShownText } from '../ui/toasts/copying.ts'

type RefusalBannerProps = {
  state: ConnectionState
  fragment: Y.XmlFragment
  onDiscard: () => Promise<void>
  onTryAgain: () => void
  onSplit: () => void
}

/**
 * Says what was not saved and why, and the remedy: continue if the browser stores the changes, else copy them before
 * they are discarded.
 */
export function RefusalBanner({ state, fragment, onDiscard, onTryAgain, onSplit }: RefusalBannerProps) {
  const reason = state.refusal && describe(state.refusal, state)
  if (!reason) return null
  const isWelcomeLater = ['schema_outdated', 'too_many', 'no_room'].includes(state.refusal ?? '')
  // Reloading loses no changes if this browser stores them, or if none is unsent.
  const isSent = isWelcomeLater && (state.kept || state.unsyncedSince === null)
  const reload = async () => {
    if (!isSent) await onDiscard()
    location.reload()
  }
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-danger/40 bg-danger-soft px-4 py-2.5 text-sm text-danger"
    >
      <span className="min-w-0 flex-1 basis-72">
        {reason} {whatToDo(state, isSent)}
      </span>
      <span className="flex flex-wrap gap-2">
        {state.refusal === 'full' && (
          <>
            <Button onClick={onTryAgain}>{t('Try again')}</Button>
            <Button onClick={onSplit}>{t('Move what follows…')}</Button>
          </>
        )}
        <Button onClick={() => void copyShownText(readText(fragment))}>{t('Copy the text')}</Button>
        <Button look="danger" onClick={() => void reload()}>
          {isSent ? t('Reload') : t('Discard and reload')}
        </Button>
      </span>
    </div>
  )
}

function describe(refusal: Refusal, { unsyncedSince: since, refusalText }: ConnectionState): string | null {
  const what =
    since === null ? t('what this page sent last') : t('what was written here since {time}', { time: timeOf(since) })
  switch (refusal) {
    case 'too_large':
      return t('The server refused {what} as too large.', { what })
    case 'no_room':
      return `${t('The server has no room for {what}.', { what })} ${refusalText ?? ''}`.trimEnd()
    case 'full':
      return t('This document is full, so the server didn’t take {what}.', { what })
    case 'invalid':
      return t('The server couldn’t read {what}.', { what })
    case 'foreign':
      return t(
        'This page shows another person’s text that the server has lost; the server accepts it only from that person’s page.',
      )
    case 'too_many':
      return t(
        'Too many windows of Copydesk are open, yours or those of others around you, so this one is not connected.',
      )
    case 'schema_outdated':
      return t('Copydesk was updated and can’t take {what} from this page.', { what })
    case 'read_only':
      return t('You can only read this document now, so the server didn’t take {what}.', { what })
    case 'revoked':
      return t('This document isn’t shared with you any more, so the server didn’t take {what}.', { what })
    case 'unauthenticated':
    case 'not_found':
      return null
  }
}

function whatToDo({ refusal, kept }: ConnectionState, isSent: boolean): string {
  if (refusal === 'full') {
    return kept
      ? t('It is kept in this browser. Delete something, or move a part of it to a new document, then try again.')
      : t('It is kept in this tab. Delete something, or move a part of it to a new document, then try again.')
  }
  if (refusal === 'too_many') return t('Close those that you don’t need; this one tries again every half minute.')
  if (refusal === 'no_room') {
    return isSent
      ? t(
          'It is kept in this browser, and this page tries again every five minutes. Or copy what you need, and ask an operator for more room.',
        )
      : t('This page tries again every five minutes. Or copy what you need, and ask an operator for more room.')
  }
  if (refusal === 'foreign')
    return t('This page tries again every ten seconds. Or copy what you need, then discard it.')
  return isSent ? t('Reload to continue.') : t('Copy what you need, then discard it.')
}

function timeOf(moment: number): string {
  return formatDate(moment, timeOfDay)
}

/** A bar above the text for users with write access: says that the document is nearly full, or full, and what to do. */
export function FullnessBar({ connection }: { connection: DocumentConnection }) {
  const { document, content } = connection
  const store = fullnessOf(content)
  const share = useSyncExternalStore(store.subscribe, () => shownShare(store.get()))
  const [dismissed, setDismissed] = useState<number>()
  if (share === null || share === dismissed) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-sunken px-4 py-2 text-sm text-ink-soft"
    >
      <span className="min-w-0 flex-1 basis-72">
        {share < 100
          ? t(
              'This document holds {share, number} % of what a document can hold. Move a part of it to a new one in time.',
              {
                share,
              },
            )
          : t('This document is full. Delete something, or move a part of it to a new one.')}
      </span>
      <span className="flex items-center gap-2">
        <Button onClick={() => splitView.set(document)}>{t('Move what follows…')}</Button>
        {share < 100 && <IconButton label={t('Dismiss')} onClick={() => setDismissed(share)} icon={X} size={16} />}
      </span>
    </div>
  )
}

/** In percent, so that it isn't rendered on each key press; null below the warning threshold. */
function shownShare(fullness: number): number | null {
  return fullness < nearlyFull ? null : Math.min(100, Math.floor(fullness * 100))
}

/** The plain text of a document, blocks separated by an empty line; mentions and formulas as their source. */
function readText(fragment: Y.XmlFragment): string {
  const doc = yXmlFragmentToProseMirrorRootNode(fragment, schema)
  return getText(doc, { blockSeparator: '\n\n', textSerializers: getTextSerializersFromSchema(schema) })
}
