import type { Attrs } from 'prosemirror-model'

const isOneOf =
  (...types: string[]) =>
  (value: unknown) =>
    value === null || value === undefined || types.includes(typeof value)

const isCount = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const rules: Record<string, (value: unknown) => boolean> = {
  level: (value) => isCount(value) && Number(value) >= 1 && Number(value) <= 6,
  start: isCount,
  colspan: (value) => isCount(value) && Number(value) >= 1,
  rowspan: (value) => isCount(value) && Number(value) >= 1,
  colwidth: (value) => value === null || (Array.isArray(value) && value.every((width) => typeof width === 'number')),
  checked: isOneOf('boolean'),
}

const isPrimitive = isOneOf('string', 'number', 'boolean')

/**
 * Throws a `RangeError` for the first attribute whose value no editor writes, such as an object where a string belongs.
 * This stands here and not as `validate` in the schema: y-prosemirror deletes a node from the shared document when the
 * schema's own check refuses it, so a stricter schema would cost people text.
 */
export function checkAttributes(name: string, attributes: Attrs): void {
  for (const [key, value] of Object.entries(attributes)) {
    // Peers name attributes as they like, `constructor` for one.
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    if (!(rule ?? isPrimitive)(value)) throw new RangeError(`invalid attribute ${key} of ${name}`)
  }
}
