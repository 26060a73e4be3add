import type { Me } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import {
  type KeyboardEvent,
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
import type { ReviewUi } from '../../editor/review/review-ui.ts'
import { backToText, focusReply, showInText } from '../../editor/review/review-focus.ts'
import { runOfThread, runsByComment } from '../thread-list.ts'
import { useFocusBack } from '../use-focus-back.ts'
import { useReview } from '../use-review.ts'
import { MarginChange } from './margin-change.tsx'
import { type MarginItem, MarginLayout } from './margin-layout.ts'
import { MarginThread } from './margin-thread.tsx'
import { useWideScroller } from './use-wide-scroller.ts'

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

/** Comments and suggested changes next to the text, each at the height of its words, if the window is wide enough. */
export function ReviewMargin(props: ReviewMarginProps) {
  const { connection, ui, showsThreads } = props
  const root = useRef<HTMLDivElement>(null)
  const scroller = useWideScroller(root)
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
  useEffect(() => {
    // Threads that are shown in the panel don't move the text.
    ui.put({ margin: scroller !== null })
    scroller?.toggleAttribute('data-margin', isShown || order.length > 0)
    // In a window that has become too narrow the text needs all of its width.
    return () => scroller?.removeAttribute('data-margin')
  }, [ui, scroller, isShown, order.length])
  return <div ref={root}>{isShown && <Column {...props} scroller={scroller} items={items} />}</div>
}

type ColumnProps = ReviewMarginProps & { scroller: HTMLElement; items: readonly MarginItem[] }

function Column({ connection, editor, ui, canComment, canDecide, colorOf, scroller, items }: ColumnProps) {
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
    const rest = { document, canComment, colorOf, onSelect: selectThread, onEscape: escape }
    return <MarginThread thread={thread} run={runOfThread(thread, runsBy)} active={id === active} {...rest} />
  }
  return (
    <ol ref={column} aria-label="Beside the text" className="margin-column absolute top-0 w-68">
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
