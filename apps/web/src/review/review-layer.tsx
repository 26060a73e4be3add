import type { Editor } from '@tiptap/core'
import type { EditorUi, WritingUi } from '../editor/common/editor-ui.ts'
import { ReviewBar } from './changes/review-bar.tsx'
import { CommentBubble } from './selection/comment-bubble.tsx'
import { type ReviewUi, type OpenChange, useReview } from './text/review-ui.ts'
import { TextPairView, TimeOfDay } from '@copydesk/agent-panel'
import { useCallback } from 'react'
import { Floating, spotOf } from '../editor/common/floating.tsx'
import { tRich } from '../i18n/rich-text.ts'
import { currentWording } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Contributors, nameChange } from './changes/change-text.tsx'
import { decisions, useDecide } from './changes/decisions.tsx'

type ReviewLayerProps = {
  editor: Editor
  ui: ReviewUi
  editorUi: EditorUi
  writing: WritingUi
  document: string
  self: string
  canDecide: boolean
  canComment: boolean
  colorOf: (id: string) => string
  onOpenThread: (thread: string) => void
  onAsk: () => void
}

/** All review controls around the text: the card of a change, the bubble for comments, and the bar below. */
export function ReviewLayer(props: ReviewLayerProps) {
  return (
    <>
      <ChangeCard {...props} />
      {props.canComment && <CommentBubble {...props} />}
      <ReviewBar {...props} />
    </>
  )
}

type ChangeCardProps = {
  editor: Editor
  ui: ReviewUi
  document: string
  canDecide: boolean
  colorOf: (id: string) => string
}

/** The suggested changes under the mouse or at the caret: their author and text, with the buttons to decide. */
function ChangeCard({ editor, ui, document, canDecide, colorOf }: ChangeCardProps) {
  const { changes, hovered, atCaret, margin } = useReview(ui)
  const ids = hovered?.ids ?? atCaret
  const shown = changes.filter(({ id }) => ids.includes(id))
  const spot = useCallback(() => hovered ?? spotOf(editor, editor.state.selection.head), [editor, hovered])
  if (shown.length === 0 || margin) return null
  const close = () => {
    ui.put({ hovered: null, atCaret: [] })
    editor.commands.focus()
  }
  return (
    <Floating
      key={ids.join(' ')}
      spot={spot}
      side="below"
      label={t('Suggestion')}
      className="w-72 max-w-[calc(100vw-1.5rem)] divide-y divide-line"
      onLeave={() => ui.put({ hovered: null })}
      onEscape={close}
      data-change-card=""
    >
      {shown.map((change) => (
        <ChangeItem key={change.id} change={change} document={document} canDecide={canDecide} colorOf={colorOf} />
      ))}
    </Floating>
  )
}

type ChangeItemProps = Pick<ChangeCardProps, 'document' | 'canDecide' | 'colorOf'> & { change: OpenChange }

function ChangeItem({ change, document, canDecide, colorOf }: ChangeItemProps) {
  const { author } = change
  const decide = useDecide(document)
  return (
    <div className="p-3">
      <div className="flex items-center gap-2">
        {author && <Avatar name={author.name} color={colorOf(author.id)} kind={author.kind} size={22} />}
        <p className="min-w-0 flex-1 truncate text-sm">
          {tRich('<author>{name}</author> <verb>suggests</verb>', {
            name: author?.name ?? t('Unknown person'),
            author: (name) => <bdi className="font-semibold">{name}</bdi>,
            verb: (text) => <span className="text-ink-soft">{text}</span>,
          })}
        </p>
        {change.createdAt && <TimeOfDay iso={change.createdAt} locale={currentWording().locale} />}
      </div>
      <Contributors change={change} />
      {change.instruction && (
        <p dir="auto" className="mt-1.5 line-clamp-2 text-xs text-ink-soft" title={change.instruction}>
          {t('Asked to “{request}”', { request: change.instruction })}
        </p>
      )}
      <p className="mt-1.5 text-xs text-ink-faint">{nameChange(change)}</p>
      <div className="mt-0.5 max-h-40 overflow-y-auto" tabIndex={isLong(change) ? 0 : undefined}>
        <TextPairView pair={change} />
      </div>
      {canDecide && (
        <div className="mt-2.5 flex gap-2">
          {decisions.map(({ decision, label, icon: Icon }) => (
            <Button
              key={decision}
              size="small"
              look={decision === 'accept' ? 'primary' : 'plain'}
              disabled={decide.isPending}
              onClick={() => decide.mutate({ change: change.id, decision })}
            >
              <Icon size={13} aria-hidden />
              {t(label)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function isLong({ before, after }: OpenChange): boolean {
  return before.length + after.length > 240
}
