import type * as Y from 'yjs'

/** A shared type of Yjs, as its items name it. */
export type YType = Extract<Y.Item['parent'], { _item: unknown }>

/**
 * An item with the type that it is in and, as the value of an attribute, its key: in a document already, or about to be
 * put there.
 */
export type AddedItem = Pick<Y.Item, 'parent' | 'parentSub' | 'content'>

/** The type that another is in; null for root types. */
export type ParentOf = (type: YType) => YType | null
