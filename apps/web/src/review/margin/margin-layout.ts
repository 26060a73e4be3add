import { firstIndex } from '@copydesk/schema/ids'
import type { EditorView } from 'prosemirror-view'
import { anchorsOf } from '../text/anchors.ts'
import { oncePerFrame } from '../../common/throttle.ts'

export type MarginItem = { kind: 'thread' | 'change'; id: string }

type MarginLayoutOptions = {
  view: EditorView
  scroller: HTMLElement
  column: HTMLElement
  /** Reports which items are close enough to the viewport to need a card. */
  onNear: (ids: readonly string[]) => void
}

const gap = 10
const settleDelay = 300

/**
 * Positions the cards of a column at their texts. Measures everything in one pass and then writes in one, at most once
 * per frame, and only when the text's height, a card's or the window has changed; typing within a line costs one
 * measurement when it pauses. Scrolling needs no work, since the column scrolls with the text. Cards far from the
 * viewport aren't drawn.
 */
export class MarginLayout {
  readonly #options: MarginLayoutOptions
  readonly #observer = new ResizeObserver(() => this.#place())
  readonly #stops: (() => void)[] = []
  #items: readonly MarginItem[] = []
  #active: string | undefined
  #near = ''
  readonly #placing = oncePerFrame(() => this.#place())
  #timer: ReturnType<typeof setTimeout> | undefined
  #placedAt = 0

  constructor(options: MarginLayoutOptions) {
    this.#options = options
    const { view, scroller } = options
    this.#observer.observe(view.dom)
    this.#observer.observe(scroller)
    const onScroll = () => {
      if (Math.abs(scroller.scrollTop - this.#placedAt) > scroller.clientHeight / 2) this.#placing.schedule()
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    this.#stops.push(() => scroller.removeEventListener('scroll', onScroll))
  }

  /** Shows these items, in document order, and puts the active one at its text. */
  show(items: readonly MarginItem[], active: string | undefined): void {
    this.#items = items
    this.#active = active
    for (const card of this.#cards()) this.#observer.observe(card)
    this.#place()
  }

  /** The text has changed, which may have moved an item within a line. */
  noteEdit(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#placing.schedule(), settleDelay)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#placing.cancel()
    this.#observer.disconnect()
    for (const stop of this.#stops.splice(0)) stop()
  }

  #cards(): HTMLElement[] {
    return [...this.#options.column.querySelectorAll<HTMLElement>(':scope > [data-margin-item]')]
  }

  #place(): void {
    const { view, scroller, column, onNear } = this.#options
    if (view.isDestroyed || !column.isConnected) return
    const box = scroller.getBoundingClientRect()
    const top = scroller.scrollTop
    this.#placedAt = top
    const placed = this.#placedItems(box.top - top)
    const near = this.#nearItems(placed, top, scroller.clientHeight)
    const cards = new Map(this.#cards().map((card) => [card.dataset.marginItem, card]))
    const shown = near.flatMap(({ id, y }) => {
      const card = cards.get(id)
      return card ? [{ id, card, wanted: y(), height: card.offsetHeight }] : []
    })
    const active = shown.findIndex(({ id }) => id === this.#active)
    const tops = arrange(shown, active < 0 ? undefined : active, gap)
    for (const [index, { card }] of shown.entries()) put(card, tops[index] ?? 0)
    const ids = near.map(({ id }) => id)
    if (ids.join(' ') === this.#near) return
    this.#near = ids.join(' ')
    onNear(ids)
  }

  // In document order; `y` is measured lazily.
  #placedItems(origin: number): Placed[] {
    const { view } = this.#options
    const { threads, changes } = anchorsOf(view.state.doc)
    const size = view.state.doc.content.size
    return this.#items
      .flatMap(({ kind, id }) => {
        const place = (kind === 'thread' ? threads : changes).get(id)
        return place ? [{ id, from: Math.min(place.from, size) }] : []
      })
      .toSorted((a, b) => a.from - b.from)
      .map(({ id, from }) => {
        let known: number | undefined
        return { id, y: () => (known ??= view.coordsAtPos(from, 1).top - origin) }
      })
  }

  #nearItems(placed: readonly Placed[], top: number, height: number): Placed[] {
    const first = firstIndex(placed, ({ y }) => y() > top - height)
    const end = firstIndex(placed, ({ y }) => y() > top + 2 * height)
    const focused = document.activeElement?.closest<HTMLElement>('[data-margin-item]')?.dataset.marginItem
    return placed.filter(({ id }, index) => (index >= first && index < end) || id === this.#active || id === focused)
  }
}

type Placed = { id: string; y: () => number }

// A new card doesn't slide in from the top.
function put(card: HTMLElement, top: number): void {
  card.style.transform = `translateY(${Math.round(top)}px)`
  if (card.dataset.placed !== undefined) return
  card.style.opacity = '1'
  requestAnimationFrame(() => {
    card.dataset.placed = ''
  })
}

/** A card whose text is at `wanted` (pixels from the top of the text) and which is `height` pixels high. */
type Placeable = { wanted: number; height: number }

/**
 * Positions cards in a column without overlap: each at its text or, if there is no room, as close below the previous
 * one as possible. The `active` one (its index) is at its text, and those above make room for it; only at the top edge
 * does it move itself. The cards are in the order of their texts.
 */
export function arrange(cards: readonly Placeable[], active: number | undefined, gap: number): number[] {
  const tops: number[] = []
  let free = 0
  for (const { wanted, height } of cards) {
    const top = Math.max(wanted, free)
    tops.push(top)
    free = top + height + gap
  }
  const chosen = active === undefined ? undefined : cards[active]
  if (active === undefined || !chosen) return tops
  const above = cards.slice(0, active).reduce((sum, { height }) => sum + height + gap, 0)
  let next = Math.max(chosen.wanted, Math.min(above, tops[active] ?? 0))
  tops[active] = next
  for (let index = active - 1; index >= 0; index -= 1) {
    next = Math.min(tops[index] ?? 0, next - gap - (cards[index]?.height ?? 0))
    tops[index] = next
  }
  free = (tops[active] ?? 0) + chosen.height + gap
  for (let index = active + 1; index < cards.length; index += 1) {
    const top = Math.max(cards[index]?.wanted ?? 0, free)
    tops[index] = top
    free = top + (cards[index]?.height ?? 0) + gap
  }
  return tops
}
