import type * as Y from 'yjs'

/** A shared type of Yjs, as the parent of an item. */
export type YType = Extract<Y.Item['parent'], { _item: unknown }>

/**
 * An item with its parent type and, for the value of an attribute, its key. The item may already be in a document or be
 * about to be integrated.
 */
export type AddedItem = Pick<Y.Item, 'parent' | 'parentSub' | 'content'>

/** The parent of a type; null for root types. */
export type ParentOf = (type: YType) => YType | null
