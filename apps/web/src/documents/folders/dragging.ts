import { type DragEvent, useState } from 'react'
import type { Item } from './dialogs.ts'

// While something is dragged a browser tells targets its types only, not its data.
let dragged: Item | null = null
const type = 'application/x-copydesk-item'

/** The attributes of an element that can be dragged onto a folder. */
export function draggable(item: Item) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.stopPropagation()
      event.dataTransfer.setData(type, item.id)
      event.dataTransfer.effectAllowed = 'all'
      dragged = item
    },
    onDragEnd: () => void (dragged = null),
  }
}

/**
 * The attributes of an element onto which documents and folders can be dropped, and whether one is over it now.
 * `accepts` decides before the drop, which is refused otherwise.
 */
export function useDropTarget(accepts: (item: Item) => boolean, onDrop: (item: Item) => void) {
  const [isOver, setOver] = useState(false)
  const accepted = (event: DragEvent): Item | null => {
    if (dragged === null || !event.dataTransfer.types.includes(type) || !accepts(dragged)) return null
    return dragged
  }
  const target = {
    onDragOver: (event: DragEvent) => {
      if (!accepted(event)) return
      event.preventDefault()
      event.stopPropagation()
      event.dataTransfer.dropEffect = 'move'
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      const item = accepted(event)
      if (!item) return
      event.preventDefault()
      event.stopPropagation()
      onDrop(item)
    },
  }
  return { isOver, target }
}
