import { z } from 'zod'
import { PersonName } from './people.ts'

/** The colours of people: with a contrast of at least 4.5:1 to white text, and distinguishable for most people. */
export const personColors = [
  '#b4232a',
  '#b45309',
  '#4d7c0f',
  '#047857',
  '#0e7490',
  '#1d4ed8',
  '#6d28d9',
  '#a21caf',
  '#be185d',
  '#57534e',
] as const

/** Changes one's own name or colour. */
export const PatchMe = z.object({ name: PersonName.exactOptional(), color: z.enum(personColors).exactOptional() })
export type PatchMe = z.infer<typeof PatchMe>
