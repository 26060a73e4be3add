import type { Attrs } from 'prosemirror-model'
import { attributeTable } from '../attributes/table.ts'

/**
 * Throws a `RangeError` for the first attribute of a node or mark type that `attributeTable` doesn't name or whose
 * value it doesn't allow. This stands here and not as `validate` in the schema: y-prosemirror deletes a node from the
 * shared document when the schema's own check refuses it, so a stricter schema would cost people text.
 */
export function checkAttributes(name: string, attributes: Attrs): void {
  // Peers name types and attributes as they like, `constructor` for one.
  const rules = Object.hasOwn(attributeTable, name) ? attributeTable[name] : undefined
  for (const [key, value] of Object.entries(attributes)) {
    // An editor takes the default for what isn't there.
    if (value === undefined) continue
    const rule = rules && Object.hasOwn(rules, key) ? rules[key] : undefined
    if (!rule) throw new RangeError(`unknown attribute ${key} of ${name}`)
    if (!rule.allows(value)) throw new RangeError(`invalid attribute ${key} of ${name}: ${rule.range}`)
  }
}
