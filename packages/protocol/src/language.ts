import { z } from 'zod'

/** The languages of the interface and of mails. */
export const Language = z.enum(['en', 'de'])
export type Language = z.infer<typeof Language>

/** The language of an `Accept-Language` header's first entry; undefined if there is none or another one. */
export function languageOf(header = ''): Language | undefined {
  return Language.safeParse(header.split(/[-,;]/, 1)[0]?.trim().toLowerCase()).data
}

/**
 * A text that the server sends, for interfaces that translate: `key` is an ICU message in English, in which `{0}` is the
 * first of its values. A value may be such a text itself.
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
