import type { Attrs } from 'prosemirror-model'
import { attributeTable } from './table.ts'

/**
 * Replaces attribute values that `attributeTable` doesn't allow by allowed ones; returns the same object if it allows
 * them all. Text that is too long is kept, unless `cuts` is set and a part of it is usable. For documents stored before
 * the server validated attributes, and for imported content. Attributes that the table doesn't name are dropped.
 * @throws RangeError for an unusable value, such as an object where a number belongs.
 */
export function fitAttributes(name: string, attributes: Attrs, { cuts = false } = {}): Attrs {
  const rules = Object.hasOwn(attributeTable, name) ? attributeTable[name] : undefined
  const entries = Object.entries(attributes as Record<string, unknown>)
  let isSame = true
  const fitted = entries.flatMap(([key, value]): [string, unknown][] => {
    const rule = rules && Object.hasOwn(rules, key) ? rules[key] : undefined
    if (rule && (value === undefined || rule.allows(value))) return [[key, value]]
    isSame = false
    if (!rule) return []
    try {
      return [[key, rule.fit(value, cuts)]]
    } catch (error) {
      throw new RangeError(`invalid attribute ${key} of ${name}: ${rule.range}`, { cause: error })
    }
  })
  return isSame ? attributes : Object.fromEntries(fitted)
}

/** The names of the attributes of a node or mark whose values `attributeTable` doesn't allow. */
export function unfitAttributes(name: string, attributes: Attrs): string[] {
  const rules = Object.hasOwn(attributeTable, name) ? attributeTable[name] : undefined
  return Object.keys(attributes).filter(
    (key) => !(rules && Object.hasOwn(rules, key) && rules[key]?.allows(attributes[key]) === true),
  )
}
