import { z } from 'zod'

/** A person as others see them; `color` is `#rrggbb`. */
export const User = z
  .object({ id: z.string(), name: z.string(), color: z.string().regex(/^#[0-9a-f]{6}$/) })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

/** Who said something. */
export const Author = z
  .object({ id: z.string(), name: z.string(), kind: z.enum(['person', 'agent']) })
  .meta({ id: 'Author' })
export type Author = z.infer<typeof Author>

/** What somebody may do with a document, weakest last. */
export const Role = z.enum(['owner', 'editor', 'commenter', 'viewer'])
export type Role = z.infer<typeof Role>

/** What somebody may do with a document, each with all before it; `manage` is sharing without limits, the trash, and owners. */
export const Access = z.enum(['read', 'comment', 'write', 'manage'])
export type Access = z.infer<typeof Access>

/** A name under which others see somebody. */
export const PersonName = z
  .string()
  .trim()
  .min(1, 'Give a name that others will see.')
  .max(80, 'A name has at most 80 characters.')
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'A name has no control characters.')
  .regex(/[\p{L}\p{N}\p{S}\p{P}]/u, 'A name has something to see in it.')
  .refine((name) => !/^@?agent$/i.test(name.normalize('NFKC')), 'That is what the agent is called. Take another name.')

export const CreateSession = z.object({ name: PersonName })

export const Session = z.object({ token: z.string(), user: User }).meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** The caller, and what the server is able to do: what the interface needs to know before anything else. */
export const Me = z
  .object({
    user: User,
    /** Whether people give a name here, or have accounts; with these, the caller's address and whether they look after the server. */
    auth: z.enum(['open', 'accounts']),
    email: z.string().optional(),
    operator: z.boolean().optional(),
    /** Whether they came by a share link and have no account. */
    guest: z.boolean().optional(),
    agent: z.object({
      provider: z.enum(['anthropic', 'openai', 'gemini', 'builtin']),
      model: z.string(),
      /** Set when no model is configured: one sentence that says how to set one. */
      setup: z.string().optional(),
    }),
  })
  .meta({ id: 'Me' })
export type Me = z.infer<typeof Me>
