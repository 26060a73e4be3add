import { z } from 'zod'
import { Language } from '../language.ts'

/** A person as others see them; `color` is `#rrggbb`. */
export const User = z
  .object({ id: z.string(), name: z.string(), color: z.string().regex(/^#[0-9a-f]{6}$/) })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

/** The author of a message, comment or change. */
export const Author = z
  .object({ id: z.string(), name: z.string(), kind: z.enum(['person', 'agent']) })
  .meta({ id: 'Author' })
export type Author = z.infer<typeof Author>

/** A person's role in a document, weakest last. */
export const Role = z.enum(['owner', 'editor', 'commenter', 'viewer'])
export type Role = z.infer<typeof Role>

/**
 * The levels of access to a document, each including all before it; `manage` is unrestricted sharing, the trash, and
 * owners.
 */
export const Access = z.enum(['read', 'comment', 'write', 'manage'])
export type Access = z.infer<typeof Access>

export const PersonName = z
  .string()
  .trim()
  .min(1, 'Give a name that others will see.')
  .max(80, 'A name has at most 80 characters.')
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'A name has no control characters.')
  .regex(/[\p{L}\p{N}\p{S}\p{P}]/u, 'A name needs at least one visible character.')
  .refine((name) => !/^@?agent$/i.test(name.normalize('NFKC')), 'The agent has this name. Choose another one.')

export const CreateSession = z.object({ name: PersonName })

export const Session = z.object({ token: z.string(), user: User }).meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** The caller, and the capabilities of the server, which the interface needs at its start. */
export const Me = z
  .object({
    user: User,
    /**
     * Whether people only enter a name or have accounts; with accounts, also the caller's address and whether they are
     * an operator.
     */
    auth: z.enum(['open', 'accounts']),
    email: z.string().optional(),
    operator: z.boolean().optional(),
    /**
     * The language of mails to the caller and of answers to requests without a detectable language, for callers with a
     * session; null until a page has reported its language.
     */
    language: Language.nullable().optional(),
    /** Whether the caller joined by a share link without an account. */
    guest: z.boolean().optional(),
    agent: z.object({
      /** The id of a service, or `builtin`. */
      provider: z.string(),
      model: z.string(),
      /** Set if no model is configured: one sentence that says how to configure one. */
      setup: z.string().optional(),
      /** Whether the caller may configure models. */
      mayConfigure: z.boolean().optional(),
    }),
  })
  .meta({ id: 'Me' })
export type Me = z.infer<typeof Me>

/** The ways to sign in to this server. `needsSetUp` until the first account has been created. */
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
