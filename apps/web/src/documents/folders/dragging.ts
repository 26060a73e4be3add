import type { DragEvent } from 'react'
import type { Item } from './dialogs.ts'

// During a drag a browser shows targets only the types of the data, not the data.
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

/** The item of a drag event, if it is one of ours. */
export function itemOf({ dataTransfer }: DragEvent): Item | null {
  return dataTransfer.types.includes(dragType) ? dragged : null
}
