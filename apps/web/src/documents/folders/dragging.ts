import type { DragEvent } from 'react'
import type { Item } from './dialogs.ts'

// While something is dragged a browser tells targets its types only, not its data.
let dragged: Item | null = null
const dragType = 'application/x-copydesk-item'

/** The attributes of an element that can be dragged onto a folder. */
export function draggable(item: Item) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.stopPropagation()
      event.dataTransfer.setData(dragType, item.id)
      event.dataTransfer.effectAllowed = 'all'
      dragged = item
    },
    onDragEnd: () => void (dragged = null),
  }
}

/** What a drag event carries, if it is one of our items. */
export function itemOf({ dataTransfer }: DragEvent): Item | null {
  return dataTransfer.types.includes(dragType) ? dragged : null
}
