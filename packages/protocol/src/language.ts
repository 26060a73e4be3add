import { z } from 'zod'

/** The languages of the interface and of mails. */
export const Language = z.enum(['en', 'de'])
export type Language = z.infer<typeof Language>

/** The language of an `Accept-Language` header's first entry; undefined if there is none or another one. */
export function languageOf(header = ''): Language | undefined {
  return Language.safeParse(header.split(/[-,;]/, 1)[0]?.trim().toLowerCase()).data
}
