import { type DragEvent, useState } from 'react'
import type { Item } from './dialogs.ts'
import { itemOf } from './dragging.ts'

/**
 * The attributes of an element onto which documents and folders can be dropped, and whether one is over it now.
 * `accepts` decides before the drop, which is refused otherwise.
 */
export function useDropTarget(accepts: (item: Item) => boolean, onDrop: (item: Item) => void) {
  const [isOver, setOver] = useState(false)
  const accepted = (event: DragEvent): Item | null => {
    const item = itemOf(event)
    return item && accepts(item) ? item : null
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
