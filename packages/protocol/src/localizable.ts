import { z } from 'zod'

/**
 * A text that the server sends, for interfaces that translate: `key` is an ICU message in English, in which `{0}` is
 * the first of its values. A value may be such a text itself.
 */
export const Localizable = z
  .object({
    key: z.string(),
    get values() {
      return z.array(z.union([z.string(), z.number(), Localizable]))
    },
  })
  .meta({ id: 'Localizable' })
export type Localizable = z.infer<typeof Localizable>
