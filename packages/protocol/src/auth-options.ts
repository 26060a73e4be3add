import { z } from 'zod'

/** How users sign in to this server. `needsSetUp` until the first account has been created. */
export const AuthOptions = z
  .object({
    auth: z.enum(['open', 'accounts']),
    needsSetUp: z.boolean(),
    oidc: z.object({ name: z.string() }).optional(),
    /** Whether the server sends mail, so that people can ask for a new password themselves. */
    mail: z.boolean().optional(),
  })
  .meta({ id: 'AuthOptions' })
export type AuthOptions = z.infer<typeof AuthOptions>
