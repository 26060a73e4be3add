import { z } from 'zod'
import { AuthorInText, RunInText } from './authorship.ts'
import { Author } from './people.ts'

/** A name that people give a version. */
export const VersionName = z
  .string()
  .trim()
  .min(1, 'Give a name.')
  .max(120, 'A name has at most 120 characters.')
  .regex(/^[^\p{Cc}\p{Bidi_Control}]*$/u, 'A name has no control characters.')

/**
 * Why a version was kept: writing paused or went on for long, or something was about to happen (`automatic`); somebody asked for it
 * (`named`); an agent's run ended with it (`run`); an older one was restored with it (`restore`).
 */
export const VersionKind = z.enum(['automatic', 'named', 'run', 'restore'])
export type VersionKind = z.infer<typeof VersionKind>

/** A moment of a document's text. `writers` wrote since the version before it. */
export const Version = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    kind: VersionKind,
    author: Author,
    writers: z.array(AuthorInText),
    /** With kind `run`: the run that ended with it. */
    run: RunInText.optional(),
    /** With kind `restore`: the version that was restored. */
    restored: z.object({ id: z.string(), name: z.string().nullable(), createdAt: z.iso.datetime() }).optional(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Version' })
export type Version = z.infer<typeof Version>

/** A version with its text: as a bare ProseMirror document, and as markdown. */
export const VersionText = Version.extend({
  document: z.record(z.string(), z.unknown()),
  markdown: z.string(),
}).meta({ id: 'VersionText' })
export type VersionText = z.infer<typeof VersionText>

/** Versions, newest first. */
export const VersionList = z.object({ versions: z.array(Version), nextCursor: z.string().nullable() })
export type VersionList = z.infer<typeof VersionList>

export const ListVersionsQuery = z.object({ cursor: z.string().max(40).optional() })

export const CreateVersion = z.object({ name: VersionName.optional() })

export const PatchVersion = z.object({ name: VersionName.nullable() })

export const DiffQuery = z.object({ against: z.string().max(80).optional() })

/** What changed between two versions. With `move`, a block stands elsewhere. */
export const VersionChange = z.object({
  id: z.string(),
  type: z.enum(['insertion', 'deletion', 'replacement', 'formatting', 'block', 'move']),
  before: z.string(),
  after: z.string(),
})
export type VersionChange = z.infer<typeof VersionChange>

/**
 * What changed from one version to a later one. `document` holds both: what came stands under `insertion` marks and `suggestion`
 * attributes, what went under `deletion`, as suggested changes do, with the ids of `changes`. `from` is null before the first
 * version, `to` the id of a version or `current`.
 */
export const VersionDiff = z
  .object({
    from: z.string().nullable(),
    to: z.string(),
    document: z.record(z.string(), z.unknown()),
    changes: z.array(VersionChange),
  })
  .meta({ id: 'VersionDiff' })
export type VersionDiff = z.infer<typeof VersionDiff>
