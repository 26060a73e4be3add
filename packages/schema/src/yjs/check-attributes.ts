import type { Attrs } from 'prosemirror-model'
import { attributeTable } from '../attributes/table.ts'

/**
 * Throws a `RangeError` for the first attribute of a node or mark type that `attributeTable` doesn't name or whose
 * value it doesn't allow. This is not a `validate` in the schema, because y-prosemirror deletes a node from the shared
 * document when the schema's own check refuses it: a stricter schema would cost users text.
 */
export function checkAttributes(name: string, attributes: Attrs): void {
  // Peers choose the names of types and attributes, `constructor` for one.
  const rules = Object.hasOwn(attributeTable, name) ? attributeTable[name] : undefined
  for (const [key, value] of Object.entries(attributes)) {
    // An editor uses the default for a missing attribute.
    if (value === undefined) continue
    const rule = rules && Object.hasOwn(rules, key) ? rules[key] : undefined
    if (!rule) throw new RangeError(`unknown attribute ${key} of ${name}`)
    if (!rule.allows(value)) throw new RangeError(`invalid attribute ${key} of ${name}: ${rule.range}`)
  }
}
