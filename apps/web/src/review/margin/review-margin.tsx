import type { Me } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { useRoomPart } from '../../collaboration/hooks.ts'
import { t } from '../../i18n/translate.ts'
import { backToText, focusReply, showInText, useFocusBack } from '../text/review-focus.ts'
import { type ReviewUi, useReview } from '../text/review-ui.ts'
import { runOfThread, runsByComment } from '../threads/thread-list.ts'
import { Proposal } from '../threads/proposal.tsx'
import { Comments, type ThreadProps } from '../threads/thread-card.tsx'
import { CommentItem, Reply, ResolveButton, RunLine } from '../threads/thread-parts.tsx'
import { MarginChange } from './margin-change.tsx'
import { type MarginItem, MarginLayout } from './margin-layout.ts'

type ReviewMarginProps = {
  connection: DocumentConnection
  editor: Editor
  ui: ReviewUi
  me: Me
  canComment: boolean
  canDecide: boolean
  /** Whether threads are shown here and not in the comments panel. */
  showsThreads: boolean
  colorOf: (id: string) => string
}

/** Comments and suggested changes next to the text, each at the height of its text, if the window is wide enough. */
export function ReviewMargin(props: ReviewMarginProps) {
  const { connection, ui, showsThreads } = props
  const root = useRef<HTMLDivElement>(null)
  const scroller = useScrollerIfWide(root)
  const threads = useRoomPart(connection.room, 'threads')
  const { threads: order, changes } = useReview(ui)
  const items = useMemo((): MarginItem[] => {
    const open = showsThreads ? order.filter((id) => threads.get(id)?.resolved === false) : []
    return [
      ...open.map((id) => ({ kind: 'thread' as const, id })),
      ...changes.map(({ id }) => ({ kind: 'change' as const, id })),
    ]
  }, [showsThreads, order, threads, changes])
  const isShown = scroller !== null && items.length > 0
  useEffect(() => ui.put({ margin: scroller !== null }), [ui, scroller])
  return (
    <div ref={root} className="margin-column absolute top-0">
      {isShown && <Column {...props} scroller={scroller} items={items} />}
    </div>
  )
}

type ColumnProps = ReviewMarginProps & { scroller: HTMLElement; items: readonly MarginItem[] }

function Column({ connection, editor, ui, me, canComment, canDecide, colorOf, scroller, items }: ColumnProps) {
  const { document } = connection
  const threads = useRoomPart(connection.room, 'threads')
  const runs = useRoomPart(connection.room, 'runs')
  const runsBy = useMemo(() => runsByComment(runs.values()), [runs])
  const { changes, thread: activeThread, atCaret, hovered } = useReview(ui)
  const changeOf = useMemo(() => new Map(changes.map((change) => [change.id, change])), [changes])
  const active = activeThread ?? hovered?.ids[0] ?? atCaret[0]
  const [near, setNear] = useState<readonly string[]>([])
  const column = useRef<HTMLOListElement>(null)
  const layout = useMarginLayout(editor, scroller, column, setNear)
  useLayoutEffect(() => layout.current?.show(items, active), [layout, items, active, near])
  const shown = useMemo(() => new Set(near), [near])
  const selectThread = useCallback(
    (id: string) => {
      ui.put({ thread: id })
      showInText(editor, id)
    },
    [editor, ui],
  )
  const escape = useCallback((id: string) => backToText(editor, id), [editor])
  const card = ({ kind, id }: MarginItem): ReactNode => {
    if (kind === 'change') {
      const change = changeOf.get(id)
      return change && <MarginChange {...{ change, document, canDecide, colorOf }} active={id === active} />
    }
    const thread = threads.get(id)
    if (!thread) return null
    const rest = {
      document,
      self: me.user.id,
      editor,
      ui,
      canComment,
      colorOf,
      onSelect: selectThread,
      onEscape: escape,
    }
    return <MarginThread thread={thread} run={runOfThread(thread, runsBy)} active={id === active} {...rest} />
  }
  return (
    <ol ref={column} aria-label={t('Beside the text')} className="relative">
      {items
        .filter(({ id }) => shown.has(id))
        .map((item) => (
          <Card key={item.id} item={item} active={item.id === active} editor={editor} ui={ui}>
            {card(item)}
          </Card>
        ))}
    </ol>
  )
}

type CardProps = { item: MarginItem; active: boolean; editor: Editor; ui: ReviewUi; children: ReactNode }

function Card({ item, active, editor, ui, children }: CardProps) {
  const { kind, id } = item
  const select = () => {
    if (!active) ui.put(kind === 'thread' ? { thread: id } : { atCaret: [id], thread: null, hovered: null })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) backToText(editor, id)
    if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    select()
    if (kind === 'thread') focusReply(id)
    else showInText(editor, id)
  }
  return (
    <li
      ref={useFocusBack(editor)}
      data-margin-item={id}
      aria-current={active ? true : undefined}
      tabIndex={0}
      style={{ opacity: 0 }}
      onClick={select}
      onKeyDown={onKeyDown}
      className={`margin-card absolute inset-x-0 top-0 rounded-xl border bg-surface ${active ? (kind === 'thread' ? 'border-comment shadow-raised' : 'border-line-strong shadow-raised') : 'border-line'}`}
    >
      {children}
    </li>
  )
}

function useMarginLayout(
  editor: Editor,
  scroller: HTMLElement,
  column: RefObject<HTMLElement | null>,
  onNear: (ids: readonly string[]) => void,
) {
  const layout = useRef<MarginLayout>(undefined)
  useLayoutEffect(() => {
    if (!column.current) return undefined
    const made = new MarginLayout({ view: editor.view, scroller, column: column.current, onNear })
    layout.current = made
    const note = () => made.noteEdit()
    editor.on('update', note)
    return () => {
      editor.off('update', note)
      made.close()
      layout.current = undefined
    }
  }, [editor, scroller, column, onNear])
  return layout
}

type MarginThreadProps = ThreadProps & { onSelect: (id: string) => void; onEscape: (id: string) => void }

/** A thread in the margin: its beginning, or all of it with a reply box while it is active. */
const MarginThread = memo(function MarginThread(props: MarginThreadProps) {
  const { thread, run, document, editor, ui, active, canComment, colorOf } = props
  const [first] = thread.comments
  const replies = thread.comments.length - 1
  if (!first) return null
  const select = () => props.onSelect(thread.id)
  return (
    <div data-thread-card={thread.id} className="p-3">
      {canComment && (
        <div className="float-end -me-1 -mt-0.5 ms-1">
          <ResolveButton thread={thread} document={document} />
        </div>
      )}
      {active ? (
        <Comments {...props} className="flex max-h-[60vh] flex-col gap-3 overflow-y-auto" />
      ) : (
        <ol aria-label={t('Comments')} className="line-clamp-4">
          <CommentItem comment={first} color={colorOf(first.author.id)} />
        </ol>
      )}
      {!active && <Proposal {...{ thread, document, editor, ui, canComment }} comment={first} isShort />}
      {!active && replies > 0 && (
        <button type="button" onClick={select} className="mt-1.5 rounded text-sm font-medium text-accent">
          {t('{count, plural, one {# reply} other {# replies}}', { count: replies })}
        </button>
      )}
      {run && <RunLine run={run} document={document} />}
      {canComment && active && (
        <Reply
          thread={thread.id}
          document={document}
          active
          resolved={thread.resolved}
          onReply={select}
          onEscape={() => props.onEscape(thread.id)}
        />
      )}
    </div>
  )
})

const narrowestCard = 208

/** The scroller around a column next to the text while the column is wide enough for cards, else null. */
function useScrollerIfWide(column: RefObject<HTMLElement | null>): HTMLElement | null {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const { current } = column
    if (!current) return undefined
    const look = () =>
      setScroller(current.clientWidth >= narrowestCard ? current.closest<HTMLElement>('[data-scroller]') : null)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(current)
    return () => observer.disconnect()
  }, [column])
  return scroller
}
